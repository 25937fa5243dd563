import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { documents, knowledge, type AddedDocument, type SkippedFile } from '../../../shared/contracts/knowledge.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import { megabyte } from '../../infra/config.ts';
import { handle, type Caller, type Http } from '../../infra/http.ts';
import type { Context } from '../../feature.ts';
import { addPage } from './added-page.ts';
import { exportBase, importBase, maxArchiveMb } from './base-transfer.ts';
import { addChunk, mergeChunk, removeChunk, restoreChunk, splitChunk, updateOwnChunk } from './chunks.ts';
import {
  addDocument,
  cancelDocument,
  findNamed,
  getDocument,
  listDocumentsOf,
  listKnownLabels,
  getEmbedding,
  listEmbeddings,
  openOriginal,
  pairsFile,
  readAgain,
  reindexBase,
  removeDocument,
  replaceDocument,
  restoreDocument,
  textName,
  tooLarge,
  updateOwnDocument,
  type Upload,
} from './documents.ts';
import {
  createKnowledge,
  findPassages,
  findUses,
  getKnowledge,
  listOwnKnowledges,
  mustFindKnowledge,
  removeKnowledge,
  restoreKnowledge,
  updateOwnKnowledge,
} from './knowledge.ts';
import { previewChunks } from './previews.ts';
import { listOwnVersions, openVersion, restoreVersion } from './versions.ts';
import { addZip, isZipName } from './zip-upload.ts';

export function knowledgeRoutes(app: Http, context: Context): void {
  const shown = async (caller: Caller, uuid: string) => ({
    data: await getKnowledge(context, caller, uuid, await findUses(context, caller.workspace)),
  });

  handle(app, knowledge.list, async ({ caller, query }) =>
    listOwnKnowledges(context, caller, query, await findUses(context, caller.workspace)),
  );
  handle(app, knowledge.create, async ({ caller, body }) => ({ data: await createKnowledge(context, caller, body) }));
  handle(app, knowledge.get, ({ caller, params }) => shown(caller, params.uuid));
  handle(app, knowledge.update, async ({ caller, params, body }) => {
    await updateOwnKnowledge(context, caller, params.uuid, body);
    return shown(caller, params.uuid);
  });
  handle(app, knowledge.remove, async ({ caller, params }) => {
    await removeKnowledge(context, caller, params.uuid);
    return done;
  });
  handle(app, knowledge.restore, async ({ caller, params }) => {
    await restoreKnowledge(context, caller, params.uuid);
    return shown(caller, params.uuid);
  });
  handle(app, knowledge.export, async ({ caller, params, reply }) => {
    const { name, zip } = await exportBase(context, caller, params.uuid);
    await reply
      .header('content-type', 'application/zip')
      .header(
        'content-disposition',
        `attachment; filename="base.kotae-base.zip"; filename*=UTF-8''${encodeURIComponent(name)}`,
      )
      .header('cache-control', 'no-store')
      .send(zip);
  });
  handle(
    app,
    knowledge.import,
    async ({ caller, files }) => {
      const part = (await files({ fileSize: maxArchiveMb * megabyte, files: 1 }).next()).value;
      if (part?.fieldname !== 'file') throw new AppError('malformed-form');
      const { base, left } = await importBase(context, caller, part.file);
      return { data: base, meta: { left } };
    },
    { formLimit: (maxArchiveMb + 1) * megabyte },
  );
  handle(app, knowledge.search, async ({ caller, params, body }) => {
    await mustFindKnowledge(context.db, caller, params.uuid);
    const { passages, coverage, tookMs } = await findPassages(context, { knowledges: [params.uuid], ...body });
    return {
      data: passages.map(({ embedding, document, score, scores, coverage: share }) => ({
        embedding,
        document,
        score,
        scores,
        coverage: share,
      })),
      meta: { coverage, tookMs },
    };
  });

  handle(app, knowledge.labels, async ({ caller, params }) => ({
    data: await listKnownLabels(context, caller, params.uuid),
  }));
  handle(app, knowledge.reindex, async ({ caller, params }) => ({
    data: { documents: await reindexBase(context, caller, params.uuid) },
  }));
  handle(app, knowledge.preview, async ({ caller, params, body, reply }) => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    return previewChunks(context, caller, params.uuid, body, gone.signal);
  });

  handle(app, documents.all, ({ caller, query, locale }) =>
    listDocumentsOf(context, caller, { status: query.status, tag: query.tag }, query, locale),
  );
  handle(app, documents.list, ({ caller, params, query, locale }) =>
    listDocumentsOf(
      context,
      caller,
      { knowledge: params.knowledge, status: query.status, tag: query.tag },
      query,
      locale,
    ),
  );
  handle(
    app,
    documents.add,
    async ({ caller, params, body, request, reply, files, locale }) => {
      await mustFindKnowledge(context.db, caller, params.knowledge);
      if (body?.source === 'url') {
        const gone = new AbortController();
        reply.raw.once('close', () => gone.abort());
        const added = await addPage(context, caller, params.knowledge, body, { locale, gone: gone.signal });
        return { data: [added], meta: { skipped: [] } };
      }
      if (body) {
        const { tags, fields } = body;
        const upload: Upload = {
          ...(body.source === 'qa'
            ? pairsFile(body.name, body.pairs)
            : { name: textName(body), bytes: Readable.from([Buffer.from(body.text)]), source: 'text' }),
          labels: { tags, fields },
        };
        return { data: [await addDocument(context, caller, params.knowledge, upload, locale)], meta: { skipped: [] } };
      }
      if (!request.isMultipart()) throw new AppError('validation-failed', { fields: [{ path: '', code: 'required' }] });
      const added: AddedDocument[] = [];
      const skipped: SkippedFile[] = [];
      let parts = 0;
      try {
        for await (const part of files()) {
          if (part.fieldname !== 'file') throw new AppError('malformed-form', { field: part.fieldname.slice(0, 100) });
          parts++;
          if (isZipName(part.filename)) {
            const zip = await addZip(context, caller, { knowledge: params.knowledge, part, locale });
            added.push(...zip.added);
            skipped.push(...zip.skipped);
            continue;
          }
          const document = await addDocument(
            context,
            caller,
            params.knowledge,
            { name: part.filename, bytes: part.file, source: 'file' },
            locale,
          );
          added.push(document);
          if (part.file.truncated) throw tooLarge(context, document.name);
        }
      } catch (error) {
        // Either all files of a form are kept, or none.
        for (const { uuid, duplicate } of added)
          if (!duplicate) await removeDocument(context, caller, params.knowledge, uuid);
        throw error;
      }
      if (parts === 0) throw new AppError('malformed-form');
      return { data: added, meta: { skipped } };
    },
    {
      // Room for a pasted text of two million Japanese characters.
      bodyLimit: 8 * 1024 * 1024,
      formLimit: 20 * (context.config.MAX_UPLOAD_MB + 1) * megabyte,
    },
  );

  const document = async (caller: Caller, params: { knowledge: string; document: string }, locale: 'en' | 'ja') => ({
    data: await getDocument(context, caller, params.knowledge, params.document, locale),
  });
  handle(app, documents.get, ({ caller, params, locale }) => document(caller, params, locale));
  handle(app, documents.update, async ({ caller, params, body, locale }) => {
    await updateOwnDocument(context, caller, params.knowledge, params.document, body);
    return document(caller, params, locale);
  });
  handle(app, documents.remove, async ({ caller, params }) => {
    await removeDocument(context, caller, params.knowledge, params.document);
    return done;
  });
  handle(app, documents.restore, async ({ caller, params, locale }) => {
    await restoreDocument(context, caller, params.knowledge, params.document);
    return document(caller, params, locale);
  });
  for (const route of [documents.retry, documents.reindex]) {
    handle(app, route, async ({ caller, params, locale }) => {
      await readAgain(context, caller, params.knowledge, params.document);
      return document(caller, params, locale);
    });
  }
  handle(app, documents.cancel, async ({ caller, params, locale }) => {
    await cancelDocument(context, caller, params.knowledge, params.document);
    return document(caller, params, locale);
  });
  const sendFile = (reply: FastifyReply, { bytes, name, mime, size }: Awaited<ReturnType<typeof openOriginal>>) =>
    reply
      .header('content-type', mime.startsWith('text/') ? 'text/plain; charset=utf-8' : mime)
      .header('content-length', size)
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
      .header('content-security-policy', "sandbox; default-src 'none'")
      .header('cache-control', 'private, no-cache')
      .send(bytes);
  handle(app, documents.file, async ({ caller, params, reply }) => {
    await sendFile(reply, await openOriginal(context, caller, params.knowledge, params.document));
  });
  handle(app, documents.versions, ({ caller, params, query }) => listOwnVersions(context, caller, params, query));
  handle(app, documents.versionFile, async ({ caller, params, reply }) => {
    await sendFile(reply, await openVersion(context, caller, params));
  });
  handle(app, documents.restoreVersion, async ({ caller, params, locale }) => ({
    data: await restoreVersion(context, caller, params, locale),
  }));
  handle(
    app,
    documents.replace,
    async ({ caller, params, files, locale }) => {
      await document(caller, params, locale);
      const part = (await files({ files: 1 }).next()).value;
      if (part?.fieldname !== 'file') throw new AppError('malformed-form');
      return { data: await replaceDocument(context, caller, params, part, locale) };
    },
    { formLimit: (context.config.MAX_UPLOAD_MB + 1) * megabyte },
  );
  handle(app, documents.named, async ({ caller, params, body }) => ({
    data: await findNamed(context, caller, params.knowledge, body.names),
  }));
  handle(app, documents.embeddings, ({ caller, params, query }) => listEmbeddings(context, caller, params.uuid, query));
  handle(app, documents.addEmbedding, async ({ caller, params, body }) => ({
    data: await addChunk(context, caller, params.uuid, body),
  }));
  handle(app, documents.updateEmbedding, async ({ caller, params, body }) => ({
    data: await updateOwnChunk(context, caller, params, body),
  }));
  handle(app, documents.removeEmbedding, async ({ caller, params }) => {
    await removeChunk(context, caller, params);
    return done;
  });
  handle(app, documents.restoreEmbedding, async ({ caller, params, query }) => ({
    data: await restoreChunk(context, caller, params, query),
  }));
  handle(app, documents.splitEmbedding, async ({ caller, params, body }) => ({
    data: await splitChunk(context, caller, params, body),
  }));
  handle(app, documents.mergeEmbedding, async ({ caller, params, body }) => ({
    data: await mergeChunk(context, caller, params, body),
  }));
  handle(app, documents.embedding, async ({ caller, params }) => ({
    data: await getEmbedding(context, caller, params.uuid, params.embedding),
  }));
}

import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../infra/db.ts';
import { createKnownTerms, searchKeywords, type SearchRequest } from './keyword-search.ts';
import type { FromWorker } from './search.ts';

const { db, engine } = openDatabase(workerData, { readOnly: true, connections: 2 });
const known = createKnownTerms();

parentPort?.on('message', ({ id, request }: { id: number; request: SearchRequest }) => {
  searchKeywords(db, engine, known, request)
    .then((result): FromWorker => ({ id, result }))
    .catch((error: unknown): FromWorker => ({ id, error: error instanceof Error ? error.message : String(error) }))
    .then((message) => parentPort?.postMessage(message));
});

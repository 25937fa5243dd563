import { useCallback } from 'react';
import { documents } from '../../shared/contracts/knowledge.ts';
import { fetchBytes } from './api.ts';

/** Fetches the file that a document was made of; another function for another document. */
export const useOriginal = ({ knowledge, uuid: document }: { knowledge: string; uuid: string }) =>
  useCallback(
    (signal: AbortSignal) => fetchBytes(documents.file, { params: { knowledge, document }, signal }),
    [knowledge, document],
  );

/**
 * @module
 * Results of models in a file, for Node. Entry `@x/evaluate/node`.
 */
export { fileJournal } from './file-journal.ts'

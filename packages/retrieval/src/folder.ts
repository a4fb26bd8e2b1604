/**
 * @module
 * Reads and watches folders of Markdown files. Needs the modules of Node.
 */
export {
  DocsFolder,
  DocsFolderError,
  DocsPathError,
  type DocumentFile,
  type FileSystem,
  type FolderContent,
  insidePath,
  type SkippedFile,
} from './folder/docs-folder.ts'
export { FolderWatcher } from './folder/folder-watcher.ts'
export { readMarkdownFolder, type WatchedFolder, watchMarkdownFolder } from './folder/markdown-folder.ts'
export { RepeatedWork } from './folder/repeated-work.ts'

import { libraryBuild } from '../../tools/tsup.ts'

export default libraryBuild(['src/index.ts', 'src/answer.ts', 'src/folder.ts', 'src/indexeddb.ts', 'src/tables.ts'])

import { libraryBuild } from '../../tools/tsup.ts'

export default libraryBuild(['src/index.ts', 'src/bm25.ts', 'src/errors.ts', 'src/node.ts'])

import { libraryBuild } from '../../tools/tsup.ts'

export default libraryBuild(['src/index.ts', 'src/schemas.ts', 'src/server.ts', 'src/testing.ts'])

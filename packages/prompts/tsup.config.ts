import { libraryBuild } from '../../tools/tsup.ts'

export default libraryBuild(['src/index.ts', 'src/rich.ts', 'src/schemas.ts'])

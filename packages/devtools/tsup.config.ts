import { libraryBuild } from '../../tools/tsup.ts'

export default libraryBuild(['src/index.ts', 'src/main.ts'], { platform: 'node' })

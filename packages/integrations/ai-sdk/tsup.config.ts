import { libraryBuild } from '../../../tools/tsup.ts'

export default libraryBuild(['src/ag-ui.ts', 'src/index.ts'])

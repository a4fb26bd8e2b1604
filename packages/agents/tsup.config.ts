import { libraryBuild } from '../../tools/tsup.ts'

export default libraryBuild([
  'src/index.ts',
  'src/schemas.ts',
  'src/node.ts',
  'src/loop.ts',
  'src/errors.ts',
  'src/legacy.ts',
  'src/pipeline.ts',
  'src/protocol.ts',
  'src/store.ts',
])

import { libraryBuild } from '../../tools/tsup.ts'

export default libraryBuild([
  'src/index.ts',
  'src/schemas.ts',
  'src/fields.ts',
  'src/runtime.ts',
  'src/python.ts',
  'src/testing.ts',
  'src/internal.ts',
])

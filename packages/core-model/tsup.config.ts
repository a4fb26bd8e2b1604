import { libraryBuild } from '../../tools/tsup.ts'

export default libraryBuild([
  'src/index.ts',
  'src/fields.ts',
  'src/schemas.ts',
  'src/runtime.ts',
  'src/async.ts',
  'src/text.ts',
  'src/data.ts',
  'src/components.ts',
  'src/python.ts',
  'src/testing.ts',
])

import { libraryBuild } from '../../tools/tsup.ts'

export default libraryBuild([
  'src/index.ts',
  'src/fields.ts',
  'src/schemas.ts',
  'src/runtime.ts',
  'src/values.ts',
  'src/options.ts',
  'src/json-schema.ts',
  'src/arguments.ts',
  'src/reading.ts',
  // Texts of numbers, `#number-texts` of the manifest: bundles for browsers have the second one.
  'src/model/number-texts.ts',
  'src/model/no-number-texts.ts',
])

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
  'src/memory.ts',
  'src/python.ts',
  // The form of a release by its name, `#python-line` of the manifest: bundles for browsers have the second one.
  'src/python/line-named.ts',
  'src/python/no-line-named.ts',
  'src/testing.ts',
])

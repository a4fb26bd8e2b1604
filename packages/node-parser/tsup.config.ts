import { libraryBuild } from '../../tools/tsup.ts'

export default libraryBuild(['src/index.ts', 'src/schemas.ts', 'src/tables.ts'], {
  // Its browser build uses the DOM.
  replace: { 'decode-named-character-reference': './src/markdown/character-names.ts' },
  dataOf: { 'src/generated/character-names.ts': 'character-entities' },
})

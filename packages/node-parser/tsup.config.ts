import { libraryBuild } from '../../tools/tsup.ts'

export default libraryBuild(['src/index.ts', 'src/schemas.ts'], {
  // Its build for browsers asks a document for the character.
  replace: { 'decode-named-character-reference': './src/markdown/character-names.ts' },
  dataOf: { 'src/generated/character-names.ts': 'character-entities' },
})

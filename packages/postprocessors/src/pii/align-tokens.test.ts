import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { byteCharacters } from '../../../integrations/transformers/test/tiny-models/tokenizers.ts'
import { alignTokens } from './align-tokens.ts'

/** The part of the word for each token. */
const parts = (word: string, tokens: string[], unknown = '[UNK]') =>
  alignTokens(word, tokens, unknown).map(({ start, end }) => word.slice(start, end))

const bytesOf = (text: string) => Array.from(new TextEncoder().encode(text), (byte) => byteCharacters[byte]!).join('')

describe('alignTokens', () => {
  it.each([
    ['pieces of a word', 'Washington,', ['Wash', '##ington', ','], ['Wash', 'ington', ',']],
    ['the mark of continued pieces as text', '##a', ['#', '#', 'a'], ['#', '#', 'a']],
    [
      'another case and removed accents',
      'ÉCOLE-Ångström',
      ['ecole', '-', 'ang', '##strom'],
      ['ÉCOLE', '-', 'Ång', 'ström'],
    ],
    ['composed text and decomposed tokens', 'Zoé!', ['Zoe\u0301', '!'], ['Zoé', '!']],
    ['decomposed text and composed tokens', 'Zoe\u0301!', ['Zoé', '!'], ['Zoe\u0301', '!']],
    ['ligatures', 'ﬁne', ['fi', '##ne'], ['ﬁ', 'ne']],
    ['a final sigma', 'ΟΔΟΣ', ['οδο', '##ς'], ['ΟΔΟ', 'Σ']],
    ['a dotted capital', 'İzmir', ['i', '##zmir'], ['İ', 'zmir']],
    ['blanks as characters', 'Bob,', ['▁Bob', ','], ['Bob', ',']],
    ['a token of nothing but the blank', 'Bob', ['▁', 'Bob'], ['', 'Bob']],
    ['Chinese', '我在北京', ['我', '在', '北京'], ['我', '在', '北京']],
    ['syllables taken apart', '한글', ['하', '##ᆫ', '##글'], ['한', '한', '글']],
    ['the end of a word', 'lower,', ['low', 'er</w>', ',</w>'], ['low', 'er', ',']],
    ['removed invisible characters', 'B\u200dob\u00ad!', ['Bob', '!'], ['B\u200dob', '!']],
    ['an emoji with its modifiers', '👩‍💻️,', ['👩', '💻', ','], ['👩‍', '💻️', ',']],
  ])('finds %s', (_, word, tokens, expected) => {
    expect(parts(word, tokens)).toEqual(expected)
  })

  it.each([
    ['alone', '🎉', ['[UNK]'], ['🎉']],
    ['before a known one', '🎉Bob', ['[UNK]', 'Bob'], ['🎉', 'Bob']],
    ['behind one, though it contains it', 'aéa', ['a', '[UNK]'], ['a', 'éa']],
    ['that ends like the known one behind it', '☂aa', ['[UNK]', 'a'], ['☂a', 'a']],
    ['between known ones', '(🎉)', ['(', '[UNK]', ')'], ['(', '🎉', ')']],
    ['twice', 'x🎉-🎊y', ['x', '[UNK]', '-', '[UNK]', 'y'], ['x', '🎉', '-', '🎊', 'y']],
    ['several in a row, which share a place', '🎉🎊y', ['[UNK]', '[UNK]', 'y'], ['🎉🎊', '🎉🎊', 'y']],
  ])('places an unknown token %s', (_, word, tokens, expected) => {
    expect(parts(word, tokens)).toEqual(expected)
  })

  it('counts the bytes of byte-level tokens, including the blank before the word', () => {
    const word = 'Zoë🎉京!'
    expect(parts(word, [`Ġ${bytesOf('Zo')}`, bytesOf('ë'), bytesOf('🎉'), bytesOf('京!')])).toEqual([
      'Zo',
      'ë',
      '🎉',
      '京!',
    ])
    const odd = '\u0001\u007f\u00ad'
    expect(parts(`a${odd}b`, ['a', bytesOf(odd), 'b'])).toEqual(['a', odd, 'b'])
    const emoji = bytesOf('🎉')
    expect(parts('a🎉b', ['a', emoji.slice(0, 2), emoji.slice(2), 'b'])).toEqual(['a', '🎉', '🎉', 'b'])
    expect(parts('Zoe\u0301!', ['Ġ', 'Zoe', bytesOf('\u0301'), '!'])).toEqual(['', 'Zoe\u0301', '\u0301', '!'])
  })

  it('returns the whole word for each token if word and tokens do not match', () => {
    expect(parts('abc', ['x', 'yz', '##q'])).toEqual(['abc', 'abc', 'abc'])
    expect(parts('abc', ['a', 'b'])).toEqual(['abc', 'abc'])
    expect(parts('京都', ['京', '<0xE9>', '<0x83>', '<0xBD>'])).toEqual(Array(4).fill('京都'))
  })

  it.each([
    ['known tokens', '京'],
    ['unknown tokens', '[UNK]'],
    ['tokens of another word', '都'],
  ])('takes linear time for a word without blanks and %s', { tags: 'growth' }, async (_, token) => {
    const align = (size: number) => alignTokens('京'.repeat(size), Array(size).fill(token), '[UNK]')
    expect(await growthOf(align, 2_000)).toBeLessThan(1.75)
  })
})

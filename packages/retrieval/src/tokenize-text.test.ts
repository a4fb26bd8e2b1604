import { describe, expect, it } from 'vitest'
import { Bm25Index } from './bm25-index.ts'
import { englishStem } from './english.ts'
import { languageOf, tokenizeText } from './tokenize-text.ts'

const found = (texts: readonly string[], query: string) => {
  const index = new Bm25Index()
  for (const text of texts) index.add(text)
  return index.search(query).map(({ index: at }) => at)
}

describe('englishStem', () => {
  it.each([
    ...[
      'caresses caress',
      'ponies poni',
      'cats cat',
      'feed feed',
      'agreed agre',
      'plastered plaster',
      'motoring motor',
      'sing sing',
    ],
    ...[
      'conflated conflat',
      'troubled troubl',
      'hopping hop',
      'falling fall',
      'filing file',
      'happy happi',
      'sky sky',
      'relational relat',
    ],
    ...[
      'conditional condit',
      'vietnamization vietnam',
      'predication predic',
      'operator oper',
      'hopefulness hope',
      'sensibiliti sensibl',
    ],
    ...[
      'triplicate triplic',
      'electrical electr',
      'goodness good',
      'revival reviv',
      'adoption adopt',
      'controlling control',
      'rate rate',
    ],
  ])('%s', (pair) => {
    const [word = '', stem] = pair.split(' ')
    expect(englishStem(word)).toBe(stem)
  })

  it('leaves short words and other letters as they are', () => {
    expect(['is', 'äpfel', 'mp3s', 'X'].map(englishStem)).toEqual(['is', 'äpfel', 'mp3s', 'X'])
  })
})

describe('languageOf', () => {
  it.each([
    ['en', 'What is the pressure on a wing?'],
    ['de', 'Wie hoch ist das Haus in der Stadt?'],
    ['fr', 'Quel est le prix de la maison ?'],
    ['es', '¿Cuál es el precio de la casa?'],
    ['tr', 'Türkiye’nin en büyük kenti ve başkenti nedir?'],
    ['other', 'Hány lakosa volt Budapestnek tavaly?'],
    [null, 'boundary layer'],
    [null, 'сколько жителей'],
    [null, 'Haus in Berlin'],
    // Parts of addresses and code are no words of a language.
    [null, 'Repackaged as [plugin](https://github.com/haraka/plugin)'],
    ['en', 'The files of /de/ and /es/ are made by locale.de.js and locale.es.js.'],
    [null, 'Example: `math.add(x, y)`, `math.add(x, y, z)`'],
    [null, '[Documentation](https://github.com/merwan7/sublime-marko)'],
    ['es', 'La función math.add(x, y) suma los números de una lista.'],
  ])('returns %s for %s', (language, text) => {
    expect(languageOf(text)).toBe(language)
  })
})

describe('the default tokenizer', () => {
  it('finds English texts by other forms of their words, also with a query of a single word', () => {
    const texts = ['The connected parts are moving.', 'A pear is green.', 'It moved.']
    expect(found(texts, 'connection')).toEqual([0])
    expect(found(texts, 'How do parts move?')).toEqual([0, 2])
  })

  it('finds German compounds and inflected words of other languages by their parts', () => {
    const german = ['Das Hochhaus steht in der Stadt.', 'Der Wein ist aus Trauben gemacht.']
    expect(found(german, 'Wo sind die Hochhäuser?')[0]).toBe(0)
    expect(found(german, 'Haus')).toEqual([0])
    expect(found(['Жители города', 'Виноград'], 'житель')).toEqual([0])
  })

  it('leaves function words out of a query while other words remain, and words in capitals never', () => {
    expect(tokenizeText.query('What is the lift of a wing?')).toEqual(['lift', 'wing'])
    expect(tokenizeText.query('What is this?')).toEqual(expect.arrayContaining(['what', 'is', 'this']))
    expect(tokenizeText.query('Who works in the IT unit of the US?')).toEqual(['work', 'it', 'unit', 'us'])
    expect(found(['The keyword this is bound late.', 'A pear.'], 'this')).toEqual([0])
  })

  it('counts each function word of an English text once, so that it does not lengthen the text', () => {
    expect(tokenizeText('The lift of the wing and the lift of the tail')).toEqual([
      'the',
      'lift',
      'of',
      'wing',
      'and',
      'lift',
      'tail',
    ])
    const texts = [
      'It is what it is, and it is what it was: about lift.',
      'About lift: wing, tail, flap, rudder, slat.',
    ]
    expect(found(texts, 'lift')).toEqual([0, 1])
    expect(found(texts, 'what is it')).toEqual([0])
  })

  it('prefers the words of a query to the parts of words in a few texts of other languages', () => {
    const texts = [
      ...['Install the newest release.', 'The node is installed.', 'A plugin has nodes.', 'Use the installer.'],
      'Der Instandsetzer hat den Stallknecht und die Installateure in der Halle gesehen.',
      'Die Talsperre ist in der Stadt, und das Staatsarchiv ist nicht in der Talstation.',
    ]
    expect(found(texts, 'install node')[0]).toBe(1)
    expect(found(texts, 'Talsperren')[0]).toBe(5)
  })

  it('does not mistake a part of a word for a word', () => {
    expect(found(['Der Player und die Musik sind hier.', 'lay it down'], 'lay')).toEqual([1])
  })

  it('finds every text by each of its own words', () => {
    const texts = [
      'The boundary layers',
      'Die Grenzschichten sind dünn',
      'Sınır tabakaları ve akış',
      'طبقات الحدود',
      '境界層の流れ',
    ]
    for (const [at, text] of texts.entries())
      for (const word of text.split(/\s/)) expect(found(texts, word), word).toContain(at)
  })
})

it('finds English words in strings whose language is not clear', () => {
  expect(tokenizeText('Holidays: 30 days a year.')).toEqual(['holidai', '30', 'dai', 'a', 'year'])
  const indexed = tokenizeText('Holidays und Ferien sind nicht gleich.')
  expect(tokenizeText.query('How many holidays?').some((term) => indexed.includes(term))).toBe(true)
})

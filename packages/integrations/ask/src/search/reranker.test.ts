// @module-tag system
import { readSections } from '@x/node-parser'
import { afterEach, describe, expect, it } from 'vitest'
import '../../../transformers/test/model-folder.ts'
import { writeCrossEncoderModel } from '../../../transformers/test/tiny-models/tiny-models.ts'
import { deleteFolders, folderOf } from '../../test/folder.ts'
import { Docs } from '../docs.ts'
import { openReranker, rerankedSearch } from './reranker.ts'
import { SectionIndex } from './section-index.ts'

afterEach(deleteFolders)

const text = '# Fruit\n\n## Pears\n\nPrice of pears: 3\n\n## Sweet\n\nPrice of a sweet red apple: 2\n'

describe('a reranker', () => {
  it('of a local folder orders the sections by its model', async () => {
    const path = writeCrossEncoderModel(await folderOf(), { words: ['pears'] })
    const folder = await folderOf({ 'fruit.md': text })
    const orders: string[][] = []
    for (const reranker of [undefined, await openReranker({ name: path, path })]) {
      const docs = await Docs.open(folder, { reranker })
      orders.push((await docs.search('price pears apple sweet')).map(({ excerpt }) => excerpt))
      await docs.close()
    }
    const [apple, pears] = ['Price of a sweet red apple: 2', 'Price of pears: 3']
    expect(orders).toEqual([
      [apple, pears],
      [pears, apple],
    ])
  })

  it('reads the headings and the text of the first 20 sections, and keeps descending scores', async () => {
    const index = new SectionIndex()
    const sections = Array.from({ length: 30 }, (_, at) => `## Pear ${at}\n\npear ${'word '.repeat(at)}`)
    index.set('pears.md', readSections(`# Pears\n\n${sections.join('\n\n')}`))
    const read: string[] = []
    const predict = async (pairs: readonly (readonly [string, string])[]) => {
      read.push(...pairs.map(([, passage]) => passage))
      return pairs.map((_, at) => (at === 19 ? 1 : -1))
    }
    const before = index.search('pear', { limit: 30 })
    const found = await rerankedSearch(index, { predict }, 'pear', { limit: 25 })
    expect(read).toHaveLength(20)
    expect(read[0]).toBe(`${before[0]!.path.join(' > ')}\n${before[0]!.excerpt}`)
    const from = (list: typeof found) => list.map((section) => section.from)
    expect(from(found)).toEqual([before[19]!.from, ...from([...before.slice(0, 19), ...before.slice(20, 25)])])
    expect(found.map(({ score }) => score)).toEqual(before.slice(0, 25).map(({ score }) => score))
    expect(await rerankedSearch(index, { predict }, 'pear', { limit: 1 })).toHaveLength(1)
  })

  it('reads the best part and the beginning of a long section', async () => {
    const index = new SectionIndex()
    index.set('long.md', readSections(`# Long\n\n${'filler word\n\n'.repeat(900)}The zeppelin is red.\n`))
    let passage = ''
    await rerankedSearch(
      index,
      {
        predict: async ([pair]) => {
          passage = pair![1]
          return [0]
        },
      },
      'zeppelin',
    )
    expect(passage).toMatch(/^Long\n(?:filler word\n+)+The zeppelin is red\.\nfiller word\n/)
    expect(passage).toHaveLength(4005)
  })

  it('says what to install', async () => {
    const library = () => Promise.reject(Object.assign(new Error('no'), { code: 'ERR_MODULE_NOT_FOUND' }))
    await expect(openReranker({ name: 'tiny/fruit' }, undefined, library)).rejects.toThrow(
      'npm install @x/transformers @huggingface/transformers',
    )
  })
})

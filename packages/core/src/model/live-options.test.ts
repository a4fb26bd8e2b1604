import { describe, expect, it } from 'vitest'
import { Book } from '../../test/sample-models.ts'
import { checkLiveOptions, writeLiveOptions } from './live-options.ts'

describe('live options', () => {
  const reader = { read() {} }
  const book = new Book({ title: 'A', reader })

  it('are written by name, apart from some', () => {
    const empty = () => ({})
    expect(writeLiveOptions(book, {}, empty)).toEqual({ live_options: ['reader'] })
    expect(writeLiveOptions(book, {}, empty, ['reader'])).toEqual({})
    expect(writeLiveOptions(new Book({ title: 'A' }), {}, empty)).toEqual({})
    expect(writeLiveOptions(book, { include: ['title'] }, empty)).toEqual({})
  })

  it('are left out beside what is excluded', () => {
    for (const exclude of [['title'], { title: true as const }])
      expect(writeLiveOptions(book, { exclude }, (options) => ({ ...options }))).toMatchObject({
        exclude: { title: true, reader: true },
      })
    expect(() => writeLiveOptions(book, null as never, book.toDict)).toThrow('Book.toDict')
    expect(() => writeLiveOptions(book, { exclude: 'title' as never }, book.toDict)).toThrow('include, exclude')
  })

  it('must be in the overrides, or null', () => {
    const data = { title: 'A', live_options: ['reader', 'other', 5] }
    expect(() => checkLiveOptions(Book, data, {})).toThrow('Book.reader: the data was written with this option')
    for (const given of [{ reader }, { reader: null }]) expect(() => checkLiveOptions(Book, data, given)).not.toThrow()
    for (const other of [null, {}, { live_options: 'reader' }])
      expect(() => checkLiveOptions(Book, other, {})).not.toThrow()
  })
})

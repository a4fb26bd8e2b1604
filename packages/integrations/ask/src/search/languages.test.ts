import { readSections } from '@x/node-parser'
import { describe, expect, it } from 'vitest'
import { SectionIndex } from './section-index.ts'

const english =
  '# Server\n\nThis is how the server works with the body of a request: what it does to it.\n\n# Log\n\nThe log is what you see when it does not work; this is the default of the server.'
const german =
  '# Server\n\nDas ist die Art, wie der Server mit dem Inhalt einer Anfrage umgeht, und es wird nicht im Protokoll gezeigt.\n\n# Protokoll\n\nDas Protokoll wird gezeigt, wenn es nicht geht, und das ist der Standard.'
const indexOf = (text: string) => {
  const index = new SectionIndex()
  index.set('a.md', readSections(text))
  return index
}

describe('the language of a question', () => {
  it.each([
    ['Welche Fehlermeldungen sind rot?', 'German'],
    ['Wie groß darf eine Anfrage sein?', 'German'],
    ['Quelle est la taille maximale pour une requête ?', 'French'],
    ['¿Cuál es el tamaño máximo de las peticiones?', 'Spanish'],
    ['Qual è il limite della richiesta?', 'Italian'],
    ['Hoe groot kan een verzoek zijn?', 'Dutch'],
    ['Jaki jest limit i gdzie się go zmienia?', 'Polish'],
    ['请求的大小限制是多少？', 'Chinese'],
    ['リクエストの最大サイズは？', 'Japanese'],
    ['최대 요청 크기는?', 'Korean'],
    ['Какой размер запроса в bodyLimit?', 'Russian or another language in Cyrillic'],
  ])('%j is said to be another one than that of English documents', (question, language) => {
    expect(indexOf(english).otherLanguage(question)).toEqual({ question: language, documents: 'English' })
  })

  it.each([
    'How large may a request be?',
    'server log',
    'bodyLimit',
    'die server',
    'kill the process that does not die',
    'no se default',
    'Standard Protokoll',
    'What does Größe mean?',
    '',
  ])('%j is not', (question) => {
    expect(indexOf(english).otherLanguage(question)).toBeNull()
  })

  it('is compared with that of the documents', () => {
    expect(indexOf(german).otherLanguage('How large may the body of a request be?')).toEqual({
      question: 'English',
      documents: 'German',
    })
    expect(indexOf(german).otherLanguage('Wie wird das Protokoll gezeigt?')).toBeNull()
    expect(indexOf('# 服务器\n\n请求的大小限制是默认的。').otherLanguage('What is the limit of this?')).toEqual({
      question: 'English',
      documents: 'Chinese',
    })
    expect(indexOf('# API\n\n`a` `b`').otherLanguage('Wie ist das?')).toBeNull()
  })
})

import { afterEach, expect, it } from 'vitest'
import { deleteFolders, folderOf } from '../test-folder.ts'
import { deadLinks } from './check.ts'

afterEach(deleteFolders)

it('follows links to pages, folders, files and anchors', async () => {
  const dist = await folderOf({
    'index.html':
      '<a href="/guides/trace">a</a> <a class="x" href="/reference/#it&#39;s">b</a> <a href="#top">c</a><i id="top">',
    'guides/trace.html':
      '<a href="../llms.txt">a</a> <a href="https://other.example/gone">b</a> <a href="./trace#two%20words">c</a><i id="two words">',
    'reference/index.html': `<i id="it's">`,
    'llms.txt': '',
  })
  expect(deadLinks(dist)).toEqual({ count: 5, dead: [] })
})

it('reports links that lead nowhere', async () => {
  const dist = await folderOf({
    'index.html':
      '<a href="/gone">a</a> <a href="/page#gone">b</a> <a href="http://[">c</a><script><a href="/code"></script>',
    'page.html': '<i id="here">',
  })
  expect(deadLinks(dist).dead).toEqual([
    'index.html: /gone leads nowhere',
    'index.html: /page#gone: no such anchor',
    'index.html: http://[ is not an address',
  ])
})

import { afterAll, expect, it, onTestFinished } from 'vitest'
import { deleteFolders, folderOf } from '../../test/folder.ts'
import { Docs } from '../docs.ts'
import { type PageAnswer, servePage } from './serve-page.ts'

afterAll(deleteFolders)

async function served(answer: PageAnswer) {
  const docs = await Docs.open(await folderOf({ 'a.md': '# Pears' }))
  const page = await servePage(docs, 0, answer, () => {})
  onTestFinished(async () => {
    await page.close()
    await docs.close()
  })
  const ask = async (body: string) =>
    fetch(`${page.url}answer`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return { ask, url: page.url }
}

it('reads a body within a limit', async () => {
  const asked: string[] = []
  const { ask } = await served(async (question) => void asked.push(question))
  expect((await ask(JSON.stringify({ question: 'x'.repeat(10_000) }))).status).toBe(200)
  expect((await ask(JSON.stringify({ question: 'x'.repeat(200_000) }))).status).toBe(413)
  for (const body of ['', '{', 'null', '5', '{"question":""}', '{"question":5}'])
    expect((await ask(body)).status).toBe(400)
  expect(asked).toHaveLength(1)
})

it('answers a few questions at the same time', async () => {
  const ends: (() => void)[] = []
  const { ask } = await served(async (_, write) => {
    write({})
    await new Promise<void>((resolve) => ends.push(resolve))
  })
  const open = await Promise.all(Array.from({ length: 4 }, async () => ask('{"question":"x"}')))
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await ask('{"question":"x"}')).status).toBe(429)
  for (const end of ends) end()
  await Promise.all(open.map(async (response) => response.text()))
  const next = ask('{"question":"x"}')
  await expect.poll(() => ends.length).toBe(5)
  ends[4]!()
  expect((await next).status).toBe(200)
})

it('refuses names that were bound to this machine, and pages of other origins', async () => {
  const { url } = await served(async () => {})
  for (const origin of ['https://evil.example', 'http://localhost:3000', 'null'])
    expect((await fetch(url, { headers: { origin } })).status).toBe(403)
  const { headers } = await fetch(url, { headers: { origin: new URL(url).origin } })
  expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
})

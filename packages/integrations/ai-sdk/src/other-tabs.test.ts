import { describe, expect, it } from 'vitest'
import { appOf, calling, decided, expectEqual, pageOf, stop } from '../test/chat-app.ts'
import type { Any } from '../test/chat-clients.ts'
import { insertMissed } from '../test/chat-programs/shown.ts'

describe.each(['an agent on SQLite', 'durable tasks on SQLite'])(
  'with %s, a page learns from its next request',
  (kind) => {
    /** A page that uses what the server says about other tabs. */
    const open = async (app: Any, isLoaded = false) => {
      const page = await pageOf(app, isLoaded)
      const types: string[] = []
      page.types = types
      page.onData = (part: Any) => {
        types.push(part.type)
        insertMissed(page, part)
      }
      return page
    }

    it.each([
      ['stopped a call that waits', (app: Any) => stop(app)],
      ['approved a call', async (_: Any, other: Any) => decided(other, true)],
      ['rejected a call', async (_: Any, other: Any) => decided(other, false)],
      ['approved a call with other arguments', async (_: Any, other: Any) => decided(other, true, { euros: 7 })],
      ['sent arguments that do not fit', async (_: Any, other: Any) => decided(other, true, { euros: 'many' })],
    ])('that another one has %s', async (_, change) => {
      const app = await appOf(kind, [calling('pay'), 'Next.', 'Last.', 'End.'])
      const page = await open(app)
      await page.sendMessage({ text: 'Pay!' })
      await change(app, await open(app, true))
      await page.sendMessage({ text: 'And?' })
      await expectEqual(app, page)
      expect(page.types).toEqual(['data-chat-missed'])
      await page.sendMessage({ text: 'More?' })
      expect(page.types).toEqual(['data-chat-missed'])
      await expectEqual(app, page)
    })

    it('how an answer has ended whose stream it has left, and that another one has continued it', async () => {
      let release = () => {}
      const held = new Promise<string>((resolve) => {
        release = () => resolve('end.')
      })
      const app = await appOf(kind, [['Once ', held], 'Next.', new Error('down'), 'Done.', 'Last.'])
      const page = await open(app)
      const sending = page.sendMessage({ text: 'Tell!' })
      await expect.poll(() => page.messages[1]?.parts.at(-1).text).toBe('Once')
      await page.stop()
      await sending
      release()
      await expect.poll(async () => (await app.load()).length).toBe(2)
      await page.sendMessage({ text: 'And?' })
      await expectEqual(app, page)
      await page.sendMessage({ text: 'Fail!' })
      const other = await open(app, true)
      await other.regenerate()
      await expectEqual(app, other)
      await page.sendMessage({ text: 'More?' })
      await expectEqual(app, page)
    })

    it('how a call was decided, when it joins the answer behind the decision', async () => {
      let release = () => {}
      const held = new Promise<string>((resolve) => {
        release = () => resolve('end.')
      })
      const app = await appOf(kind, [calling('pay'), ['Paid ', held]])
      const page = await open(app)
      await page.sendMessage({ text: 'Pay!' })
      const deciding = decided(page, true)
      await expect.poll(() => page.messages[1].parts.at(-1).text).toBe('Paid')
      const other = await open(app, true)
      const reading = other.resumeStream()
      await expect.poll(() => other.messages[1]?.parts.at(-1).text).toBe('Paid')
      release()
      await Promise.all([deciding, reading])
      await expectEqual(app, page)
      await expectEqual(app, other)
      expect(page.types).toEqual([])
    })

    it.each([
      ['a decision', true],
      ['a stop', undefined],
    ])('that %s of another one came first', async (_, first) => {
      const app = await appOf(kind, [calling('pay'), 'Done.', 'Next.'])
      const page = await open(app)
      await page.sendMessage({ text: 'Pay!' })
      const other = await open(app, true)
      if (first) await decided(other, first)
      else await stop(app)
      await decided(page, false)
      await expectEqual(app, page)
      await page.sendMessage({ text: 'And?' })
      await expectEqual(app, page)
      expect(page.types).toEqual(['data-chat-later'])
    })

    it('how a call was decided, when a failed answer continues', async () => {
      const app = await appOf(kind, [calling('pay'), new Error('down'), 'Paid.'])
      const page = await open(app)
      await page.sendMessage({ text: 'Pay!' })
      const part = page.messages[1].parts.at(-1)
      await page.addToolApprovalResponse({ id: part.approval.id, approved: true })
      await expect.poll(() => page.status).toBe('error')
      await page.regenerate()
      await expectEqual(app, page)
      expect(app.paid).toHaveLength(1)
    })

    it('what another one has changed before the answer that it decides about', async () => {
      const app = await appOf(kind, [new Error('down'), calling('pay'), 'Better.', 'Paid.'])
      const page = await open(app)
      await page.sendMessage({ text: 'Fail!' })
      await page.sendMessage({ text: 'Pay!' })
      const other = await open(app, true)
      other.messages = other.messages.slice(0, 1)
      await other.regenerate()
      await decided(page, true)
      await expectEqual(app, page)
      expect(page.types).toEqual(['data-chat-missed'])
    })
  },
)

/** What people do with a chat. Each scenario runs with a plain agent and with durable tasks. */
import { expect } from 'vitest'
import type { Scenario, ScenarioServer } from './world.ts'

/** A scenario; with `servers`, on servers of its own, which share a store if there are several. */
interface ScenarioEntry {
  servers?: number
  run(scenario: Scenario, servers: readonly ScenarioServer[]): Promise<void>
}

const PEAR = '"pear"'

export const scenarios: Readonly<Record<string, ScenarioEntry>> = {
  'two users have one id': {
    async run(scenario) {
      const ann = await scenario.open()
      await ann.say('I am Ann')
      const bob = await scenario.open({ user: 'bob', load: true })
      await bob.say('I am Bob')
      expect(await bob.agrees()).toHaveLength(2)
      expect(await ann.continues('next-users')).toHaveLength(4)
    },
  },
  'a call is approved': {
    async run(scenario) {
      const tab = await scenario.open()
      await tab.say('buy')
      expect((await tab.agrees()).at(-1)).toMatch(/\(buy approval-requested\)$/)
      expect(await tab.effects()).toEqual([])
      await tab.decide(true)
      expect((await tab.agrees()).at(-1)).toContain(PEAR)
      expect(await tab.effects()).toEqual(['buy pear'])
      await tab.continues('next-approved')
    },
  },
  'a call is rejected': {
    async run(scenario) {
      const tab = await scenario.open()
      await tab.say('buy')
      await tab.decide(false, 'too dear')
      expect((await tab.agrees()).at(-1)).toContain('too dear')
      await tab.continues('next-rejected')
      expect(await tab.effects()).toEqual([])
      await (await scenario.open({ load: true })).agrees()
    },
  },
  'a call is approved with other arguments': {
    async run(scenario) {
      const tab = await scenario.open()
      await tab.say('buy')
      await tab.run(`chat.setMessages((all) => all.map((message) => ({ ...message, parts: message.parts.map((part) =>
        part.state === 'approval-requested' ? { ...part, input: { fruit: 'plum' } } : part) })))`)
      await tab.decide(true)
      await tab.agrees()
      expect(await tab.effects()).toEqual(['buy plum'])
      await tab.continues('next-edited')
    },
  },
  'a guest may not approve': {
    async run(scenario) {
      const tab = await scenario.open({ user: 'guest' })
      await tab.say('buy')
      await tab.decide(true)
      expect(await tab.error()).toContain('decision_refused')
      const again = await scenario.open({ user: 'guest', load: true })
      expect((await again.agrees()).at(-1)).toMatch(/\(buy approval-requested\)$/)
      expect(await tab.effects()).toEqual([])
    },
  },
  'the page is loaded again while an approval waits': {
    async run(scenario) {
      await (await scenario.open()).say('buy')
      const tab = await scenario.open({ load: true })
      expect((await tab.agrees()).at(-1)).toMatch(/\(buy approval-requested\)$/)
      await tab.continues('next-waiting')
      // The client sends decisions about its last message alone. The page is loaded again behind it.
      await tab.run('chat.setMessages((all) => all.slice(0, 2))')
      await tab.decide(true)
      expect(await tab.effects()).toEqual(['buy pear'])
      await tab.run('chat.setMessages(await window.get("/ui"))')
      expect(await tab.continues('next-decided')).toHaveLength(6)
    },
  },
  'a server is restarted while an approval waits': {
    servers: 1,
    async run(scenario, [server]) {
      const tab = await scenario.open()
      await tab.say('buy')
      await server!.restart()
      await tab.decide(true)
      await tab.agrees()
      expect(await tab.effects()).toEqual(['buy pear'])
      await tab.continues('next-restarted')
    },
  },
  'two tabs approve at the same time': {
    async run(scenario) {
      const first = await scenario.open()
      await first.say('buy')
      const second = await scenario.open({ load: true })
      await Promise.all([first.decide(true), second.decide(true)])
      expect(await first.effects()).toEqual(['buy pear'])
      const tab = await scenario.open({ load: true })
      await tab.idle()
      await tab.continues('next-twice')
    },
  },
  'a phone approves what the desktop has asked for': {
    async run(scenario) {
      const desktop = await scenario.open()
      await desktop.say('mail and buy')
      await desktop.agrees()
      const phone = await scenario.open({ load: true, isPhone: true })
      await phone.decide(true)
      await phone.agrees()
      await phone.continues('next-phone')
      // The desktop does not know of it, and is told.
      await desktop.say('next-desktop')
      expect(await phone.effects()).toEqual(['mail pear', 'buy pear'])
      await (await scenario.open({ load: true })).agrees()
    },
  },
  'the page is loaded again in the middle of an answer': {
    async run(scenario) {
      const first = await scenario.open()
      await first.begin('slow-reload')
      await first.sees('To "slow-reload"')
      await first.leave()
      const tab = await scenario.open({ load: true })
      await tab.sees('To "slow-reload"')
      scenario.model.release('reload')
      await tab.idle()
      expect((await tab.agrees()).at(-1)).toContain('and so on')
      await tab.continues('next-reload')
    },
  },
  'the page is loaded again in the middle of a second answer, behind a call': {
    async run(scenario) {
      const first = await scenario.open()
      await first.say('first')
      await first.begin('mail slow-second')
      await first.sees('Result')
      await first.leave()
      const tab = await scenario.open({ load: true })
      await tab.sees('Result')
      scenario.model.release('second')
      await tab.idle()
      expect(await tab.agrees()).toHaveLength(4)
      await tab.continues('next-second')
      expect(await tab.effects()).toEqual(['mail pear'])
    },
  },
  'only the client stops': {
    async run(scenario) {
      const first = await scenario.open()
      await first.begin('slow-leave')
      await first.sees('To "slow-leave"')
      await first.run('await chat.stop()')
      scenario.model.release('leave')
      const tab = await scenario.open({ load: true })
      await tab.idle()
      expect((await tab.agrees()).at(-1)).toContain('and so on')
      await tab.continues('next-leave')
    },
  },
  'an answer is stopped': {
    async run(scenario) {
      const tab = await scenario.open()
      await tab.begin('slow-stop')
      await tab.sees('To "slow-stop"')
      await tab.stop()
      expect((await tab.agrees()).at(-1)).toBe('assistant: To "slow-stop"')
      await tab.continues('next-stop')
      expect(await (await scenario.open({ load: true })).agrees()).toHaveLength(4)
    },
  },
  'an answer is stopped behind a call': {
    async run(scenario) {
      const tab = await scenario.open()
      await tab.begin('mail slow-called')
      await tab.sees('Result')
      await tab.stop()
      expect((await tab.agrees()).at(-1)).toContain('(mail output-available)')
      await tab.continues('next-called')
      expect(await tab.effects()).toEqual(['mail pear'])
    },
  },
  'a call that waits is stopped': {
    async run(scenario) {
      const first = await scenario.open()
      await first.say('buy')
      await first.stop()
      const tab = await scenario.open({ load: true })
      expect((await tab.agrees()).at(-1)).toMatch(/\(buy output-error\)$/)
      await tab.continues('next-unasked')
      expect(await tab.effects()).toEqual([])
    },
  },
  'other answers are asked for': {
    async run(scenario) {
      const tab = await scenario.open()
      await tab.say('one')
      await tab.say('two')
      await tab.again()
      expect(await tab.agrees()).toHaveLength(4)
      const [, answer] = await tab.messages()
      await tab.again(answer!.id)
      expect(await tab.agrees()).toHaveLength(2)
      await tab.continues('next-again')
    },
  },
  'an earlier message is edited': {
    async run(scenario) {
      const tab = await scenario.open()
      for (const text of ['one', 'two', 'three']) await tab.say(text)
      const [, , second] = await tab.messages()
      await tab.say('two, edited', { messageId: second!.id })
      expect(await tab.agrees()).toHaveLength(4)
      await tab.continues('next-edit')
    },
  },
  'two tabs talk in turn': {
    async run(scenario) {
      const first = await scenario.open()
      await first.say('one')
      const second = await scenario.open({ load: true })
      await second.say('from the second')
      await first.continues('next-first')
      expect(await second.continues('next-last')).toHaveLength(8)
    },
  },
  'two tabs talk at the same time': {
    async run(scenario) {
      const first = await scenario.open()
      await first.begin('slow-both')
      await first.sees('To "slow-both"')
      const second = await scenario.open({ load: true })
      await second.sees('To "slow-both"')
      const third = await scenario.open()
      await third.say('at once')
      expect(await third.error()).toContain('conversation_busy')
      scenario.model.release('both')
      await Promise.all([first.idle(), second.idle()])
      await first.agrees()
      await second.agrees()
      await third.again()
      expect(await third.agrees()).toHaveLength(4)
      await first.continues('next-both')
    },
  },
  'a message is edited in one tab while a call waits in the other': {
    async run(scenario) {
      const first = await scenario.open()
      await first.say('one')
      await first.say('buy')
      const second = await scenario.open({ load: true })
      const [message] = await second.messages()
      await second.say('one, edited', { messageId: message!.id })
      expect(await second.agrees()).toHaveLength(2)
      await first.decide(true)
      expect(await first.effects()).toEqual([])
      await second.agrees()
      await second.continues('next-other')
    },
  },
  'a request is sent twice': {
    async run(scenario) {
      const tab = await scenario.open()
      await tab.run(`const fetched = window.fetch; window.fetch = (url, options) => {
        if (options?.method !== 'POST') return fetched(url, options)
        window.fetch = fetched
        return fetched(url, options).then((response) => response.text()).then(() => fetched(url, options))
      }`)
      await tab.say('mail once')
      expect(await tab.agrees()).toHaveLength(2)
      expect(await tab.effects()).toEqual(['mail pear'])
      await tab.continues('next-sent')
    },
  },
  'a picture is sent, and a file of the network of the server': {
    async run(scenario) {
      const tab = await scenario.open()
      const png = 'data:image/png;base64,iVBORw0KGgo='
      await tab.say('look', { files: [{ type: 'file', mediaType: 'image/png', filename: 'a.png', url: png }] })
      expect((await tab.agrees())[0]).toBe('user: look [file]')
      await tab.continues('next-file')
      const url = 'http://169.254.169.254/latest'
      await tab.say('steal', { files: [{ type: 'file', mediaType: 'image/png', url }] })
      expect(await tab.error()).toContain('model_validation')
      expect(await (await scenario.open({ load: true })).agrees()).toHaveLength(4)
    },
  },
  'the network is cut': {
    async run(scenario) {
      const tab = await scenario.open({ at: await scenario.network.start() })
      await tab.begin('slow-cut')
      await tab.sees('To "slow-cut"')
      scenario.network.cut()
      await tab.idle()
      await tab.run('await chat.resumeStream()')
      expect(await tab.error()).toContain('fetch')
      scenario.network.mend()
      await tab.run('void chat.resumeStream()')
      await tab.page.waitForFunction('chat.status === "streaming"')
      scenario.model.release('cut')
      await tab.idle()
      expect((await tab.agrees()).at(-1)).toContain('and so on')
      await tab.continues('next-cut')
    },
  },
  'a provider refuses the request behind a call': {
    async run(scenario) {
      const tab = await scenario.open()
      await tab.say('mail fails')
      expect(await tab.error()).toContain('model_call')
      await tab.agrees()
      await tab.continues('next-failed')
      expect(await tab.effects()).toEqual(['mail pear'])
    },
  },
  'a message is sent again after its answer failed': {
    async run(scenario) {
      const tab = await scenario.open()
      await tab.say('mail fails again')
      expect(await tab.error()).toContain('model_call')
      await tab.again()
      expect((await tab.agrees()).at(-1)).toContain('Result')
      expect(await tab.effects()).toEqual(['mail pear'])
      await tab.continues('next-retried')
    },
  },
  'a server is killed in the middle of an answer': {
    servers: 1,
    async run(scenario, [server]) {
      const tab = await scenario.open()
      await tab.say('first')
      await tab.begin('mail slow-kill')
      await tab.sees('Result')
      await server!.kill()
      await tab.idle()
      await server!.start()
      await tab.run('void chat.regenerate()')
      await tab.sees('Result')
      scenario.model.release('kill')
      await tab.idle()
      expect(await tab.agrees()).toHaveLength(4)
      expect(await tab.effects()).toEqual(['mail pear'])
      await tab.continues('next-killed')
    },
  },
  'a server is killed at its writes': {
    servers: 1,
    async run(scenario, [server]) {
      const tab = await scenario.open()
      for (const crashAt of [1.5, 2.5]) {
        await server!.restart(crashAt)
        await tab.say(`mail at ${crashAt}`)
        await server!.ended()
        await server!.start()
        await tab.again()
        await tab.agrees()
      }
      expect(await tab.continues('next-crash')).toHaveLength(6)
    },
  },
  'two servers have one store': {
    servers: 2,
    async run(scenario, [, other]) {
      const first = await scenario.open()
      await first.say('one')
      const second = await scenario.open({ load: true, at: other })
      await second.say('buy')
      const third = await scenario.open({ load: true })
      await third.decide(true)
      await third.agrees()
      expect(await third.effects()).toEqual(['buy pear'])
      await first.begin('slow-servers')
      await first.sees('To "slow-servers"')
      const fourth = await scenario.open({ load: true, at: other })
      await fourth.sees('To "slow-servers"')
      await fourth.stop()
      await first.idle()
      const tab = await scenario.open({ load: true })
      await tab.agrees()
      await tab.continues('next-servers')
    },
  },
  'a page that was loaded before a message follows its answer': {
    async run(scenario) {
      const [early, tab] = [await scenario.open({ load: true }), await scenario.open()]
      await tab.begin('slow-early')
      await tab.sees('To "slow-early"')
      await early.run('void chat.resumeStream()')
      await early.sees('To "slow-early"')
      scenario.model.release('early')
      await Promise.all([tab.idle(), early.idle()])
      for (const page of [tab, early]) expect(await page.agrees()).toHaveLength(2)
      await early.continues('next-early')
    },
  },
}

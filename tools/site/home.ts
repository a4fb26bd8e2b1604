/** The first page: what the README says first, and the kinds of applications. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { headline } from './descriptions.ts'
import { root, withSiteLinks } from './pages.ts'

/** Without the marks around what is written by a command. */
const readme = (): string =>
  withSiteLinks('README.md', readFileSync(join(root, 'README.md'), 'utf8').replaceAll(/<!-- [^>]* -->\n\n?/g, ''))

/** A section of the README, without its heading. */
function sectionOf(text: string, heading: string): string {
  const [, section] = text.split(new RegExp(`^## ${heading}\\n`, 'm'))
  if (section === undefined) throw new Error(`README.md has no section ${heading}.`)
  return section.split(/^## /m)[0]!.trim()
}

/** Returns the page. */
export function homePage(): string {
  const text = readme()
  // The commands of the README, its program, and what it says about models. Its picture is at the top of the page.
  const begin = /^Nothing is on npm[\s\S]*?(?=\n\*\*Which)/m.exec(text)?.[0].replace(/^!\[.*\n\n/m, '')
  if (begin === undefined) throw new Error('README.md has no commands and no program.')
  return `---
layout: home
title: Agents and cited answers in TypeScript
titleTemplate: '@x'
hero:
  name: '@x'
  text: Agents and cited answers in TypeScript
  tagline: ${JSON.stringify(headline)}
  image: { src: /killed-payment.svg, alt: 'A server is killed while a payment waits, starts again, and the payment is approved once.' }
  actions:
    - { theme: brand, text: Start in five minutes, link: /start }
    - { theme: alt, text: Choose what you need, link: /choose }
    - { theme: alt, text: Try it in the page, link: /playground/, target: _self }
features:
  - { title: Chat in a page, details: 'An agent behind useChat, with approvals that survive a restart.', link: '/choose#chat-in-a-page' }
  - { title: Answers from documents, details: 'Tables stay whole; every citation is checked.', link: '/choose#answers-from-documents' }
  - { title: Durable agents, details: 'A task is JSON: kill the process, and continue elsewhere.', link: '/choose#durable-agents' }
  - { title: One part in your framework, details: 'One postprocessor, parser or prompt, without the rest.', link: '/choose#one-part-in-your-framework' }
---

## Try it

${begin}

## A task is data

![A step: the model reads the messages of the task, its tool calls run together, and their results become messages.](/pictures/step.svg)

## Why

${sectionOf(text, 'Why')}

## When not

${sectionOf(text, 'When not')}
`
}

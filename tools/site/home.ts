/** The first page: what the README says first, and the doors. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, withSiteLinks } from './pages.ts'

const readme = (): string => withSiteLinks('README.md', readFileSync(join(root, 'README.md'), 'utf8'))

/** A section of the README, without its heading. */
function sectionOf(text: string, heading: string): string {
  const [, section] = text.split(new RegExp(`^## ${heading}\\n`, 'm'))
  if (section === undefined) throw new Error(`README.md has no section ${heading}.`)
  return section.split(/^## /m)[0]!.trim()
}

/** Returns the page. */
export function homePage(): string {
  const text = readme()
  const program = /^```ts\n[\s\S]*?^```$/m.exec(text)?.[0]
  if (program === undefined) throw new Error('README.md has no program.')
  return `---
layout: home
title: Retrieval and agents in TypeScript
titleTemplate: '@x'
hero:
  name: '@x'
  text: Retrieval and agents in TypeScript
  tagline: Small parts that you can test, stop, store and replay. Their JSON is that of LlamaIndex for Python.
  actions:
    - { theme: brand, text: Start in five minutes, link: /start }
    - { theme: alt, text: Choose what you need, link: /choose }
    - { theme: alt, text: Try it in the page, link: /playground/, target: _self }
features:
  - { title: Chat in a page, details: 'An agent behind useChat, with approvals that survive a restart.', link: '/choose#chat-in-a-page' }
  - { title: Answers from documents, details: 'Tables stay whole; every citation is checked.', link: '/choose#answers-from-documents' }
  - { title: Work that survives, details: 'A task is JSON: kill the process, and continue elsewhere.', link: '/choose#work-that-survives' }
  - { title: A part for your framework, details: 'One postprocessor, parser or prompt, without the rest.', link: '/choose#a-part-for-your-framework' }
---

## An agent whose task is data

${program}

![A step: the model reads the messages of the task, its tool calls run together, and their results become messages.](/pictures/step.svg)

## Why

${sectionOf(text, 'Why')}

## When not

${sectionOf(text, 'When not')}
`
}

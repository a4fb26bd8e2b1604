import { lazy } from '@x/core/values'
import type { PatternKind } from './pattern-kind.ts'
import type { Range } from './plain-signs.ts'

// Every repetition is bounded, so that the time is linear in the length of the string.
const forms = /* @__PURE__ */ lazy(() => {
  const alnum = String.raw`\p{L}\p{N}`
  const mark = "_%+!$^~'-"
  const name = `(?:"[^"\\s@]{1,30}(?: [^"\\s@]{1,30}){0,3}"|[${alnum}_+](?:[${alnum}.${mark}]{0,62}[${alnum}_%+-])?)`
  const at = String.raw`(?:@| ?[\[({]at[\])}] ?)`
  const dot = String.raw`(?:\.| ?[\[({]dot[\])}] ?)`
  const label = `[${alnum}](?:[${alnum}-]{0,61}[${alnum}])?`
  const domain = `(?:${label}${dot}){1,8}(?:xn--[a-z0-9-]{1,59}|\\p{L}{2,24})`
  const literal = String.raw`\[(?:IPv6:)?[\da-f.:]{3,45}\]`
  return {
    address: new RegExp(`${name}${at}(?:${domain}|${literal})`, 'giu'),
    // File names such as `icon@2x.png`, and the user of version control hosts.
    other: /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|pdf|css|js|ts|json|html|txt|ya?ml)$|^(?:git|hg)@/i,
  }
})

/** E-mail addresses, including quoted names, apostrophes, domains in any script, and `(at)` for `@`; not file names such as `icon@2x.png`. */
export const emails: PatternKind = { group: 'EMAIL', find: findEmails }

function findEmails(text: string): Range[] {
  const { address, other } = forms()
  return [...text.matchAll(address)].flatMap(({ 0: found, index }) =>
    other.test(found) ? [] : [{ start: index, end: index + found.length }],
  )
}

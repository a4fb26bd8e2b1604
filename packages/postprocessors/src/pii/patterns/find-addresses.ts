import { lazy } from '@x/core/values'
import { isVersion } from './other-numbers.ts'
import type { PatternKind } from './pattern-kind.ts'
import type { Range } from './plain-signs.ts'

const forms = /* @__PURE__ */ lazy(() => {
  // Letters of scripts without upper and lower case, such as Chinese, stand beside numbers without a blank.
  const alnum = String.raw`\p{Lu}\p{Ll}\p{N}`
  return {
    four: new RegExp(String.raw`(?<![${alnum}.]|[${alnum}][-_])(?:\d{1,3}\.){3}\d{1,3}(?![${alnum}]|\.\d)`, 'gu'),
    six: new RegExp(
      String.raw`(?<![${alnum}:.])[\da-f:]{2,39}(?::(?:\d{1,3}\.){3}\d{1,3})?(?![${alnum}:]|\.\d)`,
      'giu',
    ),
  }
})

/** IP addresses of versions 4 and 6. Version numbers such as `version 1.2.3.4` are not addresses. */
export const ips: PatternKind = { group: 'IP', find: findIps }

function findIps(text: string): Range[] {
  const { four, six } = forms()
  const ips: Range[] = []
  // IPv6 comes first, because an IPv6 address may end in an IPv4 address.
  for (const { 0: found, index } of text.matchAll(six))
    if (isIpv6(found)) ips.push({ start: index, end: index + found.length })
  for (const { 0: found, index } of text.matchAll(four)) {
    if (found.split('.').some((part) => Number(part) > 255 || /^0\d/.test(part))) continue
    if (!isVersion(text, index)) ips.push({ start: index, end: index + found.length })
  }
  return ips
}

function isIpv6(found: string): boolean {
  const groups = found.replace(/:(?:\d+\.){3}\d+$/, ':0:0').split(':')
  const written = groups.filter((group) => group !== '')
  const gaps = found.split('::').length - 1
  if (written.some(({ length }) => length > 4) || found.includes(':::')) return false
  // Eight pairs are an address of hardware or the beginning of a fingerprint.
  if (gaps === 0) return groups.length === 8 && written.length === 8 && written.some(({ length }) => length !== 2)
  if (gaps > 1 || written.length > 7) return false
  // `a::b` is more often a name in a program.
  return written.length > 2 || /^(?:[23][\da-f]{3}|fe[89ab][\da-f]|f[cd][\da-f]{2}):/i.test(found)
}

// Every repetition is bounded, so that the time is linear in the length of the string.
const addressForms = /* @__PURE__ */ lazy(() => {
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

/**
 * E-mail addresses, including quoted names, apostrophes, domains in any script, and `(at)` for `@`; not file names such as `icon@2x.png`.
 */
export const emails: PatternKind = { group: 'EMAIL', find: findEmails }

function findEmails(text: string): Range[] {
  const { address, other } = addressForms()
  return [...text.matchAll(address)].flatMap(({ 0: found, index }) =>
    other.test(found) ? [] : [{ start: index, end: index + found.length }],
  )
}

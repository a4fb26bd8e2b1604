/**
 * @module
 * The forms of keys and tokens of services, for what hides them in errors and for what masks them in documents.
 */

let form: RegExp | undefined

/**
 * Returns an expression, with the flag `g`, that matches keys and tokens of services whose form is known (model providers, clouds, code
 * hosts, messengers, payment, mail), JSON Web Tokens and private keys in PEM. Its time is linear in the length of the string.
 * @example
 * 'key AKIAIOSFODNN7EXAMPLE'.replace(credentialForm(), '…') // => 'key …'
 */
export function credentialForm(): RegExp {
  form ??= new RegExp(
    // A token ends where its characters end, and begins where none of them is before it, so that no part of it is tried again.
    `(?<![\\w-])(?:${[
      // Prefixes of providers, followed by at least 16 characters with a digit or by at least 40 others.
      String.raw`(?:sk|pk|rk|gsk|xai|hf|pplx|nvapi|r8|csk|tgp|fw|jina|voyage|lsv2|whsec|npm|glpat|glsa|shpat|shpss|dop_v1|doo_v1|figd|sntrys|lin_api|tskey|pat|rnd|sbp|ntn|secret)[-_](?=[a-zA-Z_-]{0,64}\d|[\w-]{40})[\w-]{16,}`,
      String.raw`gh[oprsu]_\w{20,}|github_pat_\w{30,}`,
      String.raw`(?:AKIA|ASIA|AROA|AIDA|ABIA)[A-Z\d]{16}(?![A-Z\d])`,
      String.raw`AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}`,
      String.raw`xox[abeoprs]-[\w-]{10,}|xapp-[\w-]{20,}`,
      String.raw`(?:AC|SK)[\da-f]{32}(?![\da-f])|key-[\da-f]{32}(?![\da-f])|dapi[\da-f]{32}|SG\.[\w-]{16,}\.[\w-]{16,}`,
      String.raw`sq0[a-z]{3}-[\w-]{20,}|EAA[A-Za-z\d]{60,}|PMAK-[\w-]{20,}|NRAK-[A-Z\d]{20,}|hv[sb]\.[\w-]{20,}|pypi-AgEI[\w-]{20,}`,
      String.raw`\d{8,10}:AA[\w-]{33}(?![\w-])`,
      String.raw`eyJ[\w-]{8,}\.eyJ[\w-]{5,}\.[\w-]*`,
    ].join('|')})|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?`,
    'g',
  )
  return form
}

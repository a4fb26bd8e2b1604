import { report } from './checks.js'

addEventListener('install', (event) => event.waitUntil(report('service-worker')))

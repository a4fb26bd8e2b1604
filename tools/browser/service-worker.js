import { runChecks } from './checks.js'

addEventListener('install', (event) => event.waitUntil(runChecks('service-worker', 2)))

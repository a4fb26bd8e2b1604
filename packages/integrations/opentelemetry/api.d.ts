// The public types of @x/opentelemetry, written by `npm run api`.

// ======== @x/opentelemetry

type Conventions = '1.36' | '1.41' | 'genai';

declare class OpenTelemetryHandler implements CallbackHandler {
    private readonly tracer;
    private readonly measurements;
    private readonly describe;
    private readonly open;
    constructor(options?: OpenTelemetryOptions);
    forAgent(agentName: string): OpenTelemetryHandler;
    onEventStart(type: EventType, payload: EventPayload | null, eventId: string, parentId: string): void;
    onEventEnd(type: EventType, payload: EventPayload | null, eventId: string, outcome: EventOutcome): void;
    private failure;
    runInside(eventId: string, work: () => unknown): unknown;
    private parentContext;
}

interface OpenTelemetryOptions {
    tracer?: Tracer | undefined;
    meter?: Meter | undefined;
    agentName?: string | undefined;
    captureContent?: boolean | undefined;
    conventions?: Conventions | undefined;
}

declare function traceCarrier(): Record<string, string>;

declare function withTraceCarrier<T>(carrier: Readonly<Record<string, string>>, work: () => T): T;

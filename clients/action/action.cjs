// Assay 0.2.0, license MIT. Built from clients/action.

// clients/action/src/action.ts
var import_node_fs2 = require("node:fs");

// clients/sdk/src/unambiguous-json.ts
var TOKENS = /(?<text>"[^"\\]*(?:\\.[^"\\]*)*")(?<colon>\s*:)?|(?<opening>[{[])|(?<closing>[}\]])/g;
function parseUnambiguousJson(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("The document is not JSON.");
  }
  const open = [];
  for (const { groups: { text: name, colon, opening, closing } = {} } of text.matchAll(TOKENS)) {
    if (opening !== void 0) open.push(/* @__PURE__ */ new Set());
    if (closing !== void 0) open.pop();
    if (name === void 0 || colon === void 0) continue;
    const key = JSON.parse(name);
    if (open.at(-1)?.has(key) === true) throw new Error("The document has a name twice in one object.");
    open.at(-1)?.add(key);
  }
  return value;
}

// node_modules/openapi-fetch/dist/index.mjs
var PATH_PARAM_RE = /\{[^{}]+\}/g;
var supportsRequestInitExt = () => {
  return typeof process === "object" && Number.parseInt(process?.versions?.node?.substring(0, 2)) >= 18 && process.versions.undici;
};
function randomID() {
  return Math.random().toString(36).slice(2, 11);
}
function createClient(clientOptions) {
  let {
    baseUrl = "",
    Request: CustomRequest = globalThis.Request,
    fetch: baseFetch = globalThis.fetch,
    querySerializer: globalQuerySerializer,
    bodySerializer: globalBodySerializer,
    pathSerializer: globalPathSerializer,
    headers: baseHeaders,
    requestInitExt = void 0,
    ...baseOptions
  } = { ...clientOptions };
  requestInitExt = supportsRequestInitExt() ? requestInitExt : void 0;
  baseUrl = removeTrailingSlash(baseUrl);
  const globalMiddlewares = [];
  async function coreFetch(schemaPath, fetchOptions) {
    const {
      baseUrl: localBaseUrl,
      fetch: fetch2 = baseFetch,
      Request: Request2 = CustomRequest,
      headers,
      params = {},
      parseAs = "json",
      querySerializer: requestQuerySerializer,
      bodySerializer = globalBodySerializer ?? defaultBodySerializer,
      pathSerializer: requestPathSerializer,
      body,
      middleware: requestMiddlewares = [],
      ...init
    } = fetchOptions || {};
    let finalBaseUrl = baseUrl;
    if (localBaseUrl) {
      finalBaseUrl = removeTrailingSlash(localBaseUrl) ?? baseUrl;
    }
    let querySerializer = typeof globalQuerySerializer === "function" ? globalQuerySerializer : createQuerySerializer(globalQuerySerializer);
    if (requestQuerySerializer) {
      querySerializer = typeof requestQuerySerializer === "function" ? requestQuerySerializer : createQuerySerializer({
        ...typeof globalQuerySerializer === "object" ? globalQuerySerializer : {},
        ...requestQuerySerializer
      });
    }
    const pathSerializer = requestPathSerializer || globalPathSerializer || defaultPathSerializer;
    const serializedBody = body === void 0 ? void 0 : bodySerializer(
      body,
      // Note: we declare mergeHeaders() both here and below because it’s a bit of a chicken-or-egg situation:
      // bodySerializer() needs all headers so we aren’t dropping ones set by the user, however,
      // the result of this ALSO sets the lowest-priority content-type header. So we re-merge below,
      // setting the content-type at the very beginning to be overwritten.
      // Lastly, based on the way headers work, it’s not a simple “present-or-not” check becauase null intentionally un-sets headers.
      mergeHeaders(baseHeaders, headers, params.header)
    );
    const finalHeaders = mergeHeaders(
      // with no body, we should not to set Content-Type
      serializedBody === void 0 || // if serialized body is FormData; browser will correctly set Content-Type & boundary expression
      serializedBody instanceof FormData ? {} : {
        "Content-Type": "application/json"
      },
      baseHeaders,
      headers,
      params.header
    );
    const finalMiddlewares = [...globalMiddlewares, ...requestMiddlewares];
    const requestInit = {
      redirect: "follow",
      ...baseOptions,
      ...init,
      body: serializedBody,
      headers: finalHeaders
    };
    let id;
    let options;
    let request = new Request2(
      createFinalURL(schemaPath, { baseUrl: finalBaseUrl, params, querySerializer, pathSerializer }),
      requestInit
    );
    let response;
    for (const key in init) {
      if (!(key in request)) {
        request[key] = init[key];
      }
    }
    if (finalMiddlewares.length) {
      id = randomID();
      options = Object.freeze({
        baseUrl: finalBaseUrl,
        fetch: fetch2,
        parseAs,
        querySerializer,
        bodySerializer,
        pathSerializer
      });
      for (const m of finalMiddlewares) {
        if (m && typeof m === "object" && typeof m.onRequest === "function") {
          const result = await m.onRequest({
            request,
            schemaPath,
            params,
            options,
            id
          });
          if (result) {
            if (result instanceof Request2) {
              request = result;
            } else if (result instanceof Response) {
              response = result;
              break;
            } else {
              throw new Error("onRequest: must return new Request() or Response() when modifying the request");
            }
          }
        }
      }
    }
    if (!response) {
      try {
        response = await fetch2(request, requestInitExt);
      } catch (error2) {
        let errorAfterMiddleware = error2;
        if (finalMiddlewares.length) {
          for (let i = finalMiddlewares.length - 1; i >= 0; i--) {
            const m = finalMiddlewares[i];
            if (m && typeof m === "object" && typeof m.onError === "function") {
              const result = await m.onError({
                request,
                error: errorAfterMiddleware,
                schemaPath,
                params,
                options,
                id
              });
              if (result) {
                if (result instanceof Response) {
                  errorAfterMiddleware = void 0;
                  response = result;
                  break;
                }
                if (result instanceof Error) {
                  errorAfterMiddleware = result;
                  continue;
                }
                throw new Error("onError: must return new Response() or instance of Error");
              }
            }
          }
        }
        if (errorAfterMiddleware) {
          throw errorAfterMiddleware;
        }
      }
      if (finalMiddlewares.length) {
        for (let i = finalMiddlewares.length - 1; i >= 0; i--) {
          const m = finalMiddlewares[i];
          if (m && typeof m === "object" && typeof m.onResponse === "function") {
            const result = await m.onResponse({
              request,
              response,
              schemaPath,
              params,
              options,
              id
            });
            if (result) {
              if (!(result instanceof Response)) {
                throw new Error("onResponse: must return new Response() when modifying the response");
              }
              response = result;
            }
          }
        }
      }
    }
    const contentLength = response.headers.get("Content-Length");
    if (response.status === 204 || request.method === "HEAD" || contentLength === "0" && !response.headers.get("Transfer-Encoding")?.includes("chunked")) {
      return response.ok ? { data: void 0, response } : { error: void 0, response };
    }
    if (response.ok) {
      const getResponseData = async () => {
        if (parseAs === "stream") {
          return response.body;
        }
        if (parseAs === "json" && !contentLength) {
          const raw = await response.text();
          return raw ? JSON.parse(raw) : void 0;
        }
        return await response[parseAs]();
      };
      return { data: await getResponseData(), response };
    }
    let error = await response.text();
    try {
      error = JSON.parse(error);
    } catch {
    }
    return { error, response };
  }
  return {
    request(method, url, init) {
      return coreFetch(url, { ...init, method: method.toUpperCase() });
    },
    /** Call a GET endpoint */
    GET(url, init) {
      return coreFetch(url, { ...init, method: "GET" });
    },
    /** Call a PUT endpoint */
    PUT(url, init) {
      return coreFetch(url, { ...init, method: "PUT" });
    },
    /** Call a POST endpoint */
    POST(url, init) {
      return coreFetch(url, { ...init, method: "POST" });
    },
    /** Call a DELETE endpoint */
    DELETE(url, init) {
      return coreFetch(url, { ...init, method: "DELETE" });
    },
    /** Call a OPTIONS endpoint */
    OPTIONS(url, init) {
      return coreFetch(url, { ...init, method: "OPTIONS" });
    },
    /** Call a HEAD endpoint */
    HEAD(url, init) {
      return coreFetch(url, { ...init, method: "HEAD" });
    },
    /** Call a PATCH endpoint */
    PATCH(url, init) {
      return coreFetch(url, { ...init, method: "PATCH" });
    },
    /** Call a TRACE endpoint */
    TRACE(url, init) {
      return coreFetch(url, { ...init, method: "TRACE" });
    },
    /** Register middleware */
    use(...middleware) {
      for (const m of middleware) {
        if (!m) {
          continue;
        }
        if (typeof m !== "object" || !("onRequest" in m || "onResponse" in m || "onError" in m)) {
          throw new Error("Middleware must be an object with one of `onRequest()`, `onResponse() or `onError()`");
        }
        globalMiddlewares.push(m);
      }
    },
    /** Unregister middleware */
    eject(...middleware) {
      for (const m of middleware) {
        const i = globalMiddlewares.indexOf(m);
        if (i !== -1) {
          globalMiddlewares.splice(i, 1);
        }
      }
    }
  };
}
function serializePrimitiveParam(name, value, options) {
  if (value === void 0 || value === null) {
    return "";
  }
  if (typeof value === "object") {
    throw new Error(
      "Deeply-nested arrays/objects aren\u2019t supported. Provide your own `querySerializer()` to handle these."
    );
  }
  return `${name}=${options?.allowReserved === true ? value : encodeURIComponent(value)}`;
}
function serializeObjectParam(name, value, options) {
  if (!value || typeof value !== "object") {
    return "";
  }
  const values = [];
  const joiner = {
    simple: ",",
    label: ".",
    matrix: ";"
  }[options.style] || "&";
  if (options.style !== "deepObject" && options.explode === false) {
    for (const k in value) {
      values.push(k, options.allowReserved === true ? value[k] : encodeURIComponent(value[k]));
    }
    const final2 = values.join(",");
    switch (options.style) {
      case "form": {
        return `${name}=${final2}`;
      }
      case "label": {
        return `.${final2}`;
      }
      case "matrix": {
        return `;${name}=${final2}`;
      }
      default: {
        return final2;
      }
    }
  }
  for (const k in value) {
    const finalName = options.style === "deepObject" ? `${name}[${k}]` : k;
    values.push(serializePrimitiveParam(finalName, value[k], options));
  }
  const final = values.join(joiner);
  return options.style === "label" || options.style === "matrix" ? `${joiner}${final}` : final;
}
function serializeArrayParam(name, value, options) {
  if (!Array.isArray(value)) {
    return "";
  }
  if (options.explode === false) {
    const joiner2 = { form: ",", spaceDelimited: "%20", pipeDelimited: "|" }[options.style] || ",";
    const final = (options.allowReserved === true ? value : value.map((v) => encodeURIComponent(v))).join(joiner2);
    switch (options.style) {
      case "simple": {
        return final;
      }
      case "label": {
        return `.${final}`;
      }
      case "matrix": {
        return `;${name}=${final}`;
      }
      // case "spaceDelimited":
      // case "pipeDelimited":
      default: {
        return `${name}=${final}`;
      }
    }
  }
  const joiner = { simple: ",", label: ".", matrix: ";" }[options.style] || "&";
  const values = [];
  for (const v of value) {
    if (options.style === "simple" || options.style === "label") {
      values.push(options.allowReserved === true ? v : encodeURIComponent(v));
    } else {
      values.push(serializePrimitiveParam(name, v, options));
    }
  }
  return options.style === "label" || options.style === "matrix" ? `${joiner}${values.join(joiner)}` : values.join(joiner);
}
function createQuerySerializer(options) {
  return function querySerializer(queryParams) {
    const search = [];
    if (queryParams && typeof queryParams === "object") {
      for (const name in queryParams) {
        const value = queryParams[name];
        if (value === void 0 || value === null) {
          continue;
        }
        if (Array.isArray(value)) {
          if (value.length === 0) {
            continue;
          }
          search.push(
            serializeArrayParam(name, value, {
              style: "form",
              explode: true,
              ...options?.array,
              allowReserved: options?.allowReserved || false
            })
          );
          continue;
        }
        if (typeof value === "object") {
          search.push(
            serializeObjectParam(name, value, {
              style: "deepObject",
              explode: true,
              ...options?.object,
              allowReserved: options?.allowReserved || false
            })
          );
          continue;
        }
        search.push(serializePrimitiveParam(name, value, options));
      }
    }
    return search.join("&");
  };
}
function defaultPathSerializer(pathname, pathParams) {
  let nextURL = pathname;
  for (const match of pathname.match(PATH_PARAM_RE) ?? []) {
    let name = match.substring(1, match.length - 1);
    let explode = false;
    let style = "simple";
    if (name.endsWith("*")) {
      explode = true;
      name = name.substring(0, name.length - 1);
    }
    if (name.startsWith(".")) {
      style = "label";
      name = name.substring(1);
    } else if (name.startsWith(";")) {
      style = "matrix";
      name = name.substring(1);
    }
    if (!pathParams || pathParams[name] === void 0 || pathParams[name] === null) {
      continue;
    }
    const value = pathParams[name];
    if (Array.isArray(value)) {
      nextURL = nextURL.replace(match, serializeArrayParam(name, value, { style, explode }));
      continue;
    }
    if (typeof value === "object") {
      nextURL = nextURL.replace(match, serializeObjectParam(name, value, { style, explode }));
      continue;
    }
    if (style === "matrix") {
      nextURL = nextURL.replace(match, `;${serializePrimitiveParam(name, value)}`);
      continue;
    }
    nextURL = nextURL.replace(match, style === "label" ? `.${encodeURIComponent(value)}` : encodeURIComponent(value));
  }
  return nextURL;
}
function defaultBodySerializer(body, headers) {
  if (body instanceof FormData) {
    return body;
  }
  if (headers) {
    const contentType = headers.get instanceof Function ? headers.get("Content-Type") ?? headers.get("content-type") : headers["Content-Type"] ?? headers["content-type"];
    if (contentType === "application/x-www-form-urlencoded") {
      return new URLSearchParams(body).toString();
    }
  }
  return JSON.stringify(body);
}
function createFinalURL(pathname, options) {
  let finalURL = `${options.baseUrl}${pathname}`;
  if (options.params?.path) {
    finalURL = options.pathSerializer(finalURL, options.params.path);
  }
  let search = options.querySerializer(options.params.query ?? {});
  if (search.startsWith("?")) {
    search = search.substring(1);
  }
  if (search) {
    finalURL += `?${search}`;
  }
  return finalURL;
}
function mergeHeaders(...allHeaders) {
  const finalHeaders = new Headers();
  for (const h of allHeaders) {
    if (!h || typeof h !== "object") {
      continue;
    }
    const iterator = h instanceof Headers ? h.entries() : Object.entries(h);
    for (const [k, v] of iterator) {
      if (v === null) {
        finalHeaders.delete(k);
      } else if (Array.isArray(v)) {
        for (const v2 of v) {
          finalHeaders.append(k, v2);
        }
      } else if (v !== void 0) {
        finalHeaders.set(k, v);
      }
    }
  }
  return finalHeaders;
}
function removeTrailingSlash(url) {
  if (url.endsWith("/")) {
    return url.substring(0, url.length - 1);
  }
  return url;
}

// clients/sdk/src/errors.ts
var AssayError = class extends Error {
  status;
  requestId;
  retryable;
  retryAfter;
  constructor(message, { status, requestId, retryable = false, retryAfter, cause } = {}) {
    super(message, { cause });
    this.name = new.target.name;
    this.status = status;
    this.requestId = requestId;
    this.retryable = retryable;
    this.retryAfter = retryAfter;
  }
};
var BadRequestError = class extends AssayError {
  fields;
  constructor(message, failure = {}) {
    super(message, failure);
    this.fields = problemsIn(message);
  }
};
var UnauthorizedError = class extends AssayError {
};
var ForbiddenError = class extends AssayError {
};
var NotFoundError = class extends AssayError {
};
var ConflictError = class extends AssayError {
};
var PreconditionFailedError = class extends AssayError {
};
var TooLargeError = class extends AssayError {
};
var UnprocessableError = class extends AssayError {
};
var TooManyRequestsError = class extends AssayError {
};
var UnavailableError = class extends AssayError {
};
var ServerError = class extends AssayError {
};
var ConnectionError = class extends AssayError {
};
var TimeoutError = class extends AssayError {
};
var InvalidResponseError = class extends AssayError {
};
var CLASSES = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: TooLargeError,
  422: UnprocessableError,
  429: TooManyRequestsError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError
};
var RETRYABLE = /* @__PURE__ */ new Set([429, 502, 503]);
function errorOf(status, headers, body) {
  const requestId = headers.get("x-request-id") ?? void 0;
  const retryAfter = retryAfterOf(headers);
  const retryable = RETRYABLE.has(status) || status === 409 && retryAfter !== void 0;
  const failure = { status, requestId, retryable, retryAfter };
  if (status < 400)
    return new InvalidResponseError(
      `The service returned ${status}, a redirect. Use the address that it redirects to.`,
      failure
    );
  const type = CLASSES[status] ?? (status >= 500 ? ServerError : AssayError);
  return new type(descriptionIn(body) ?? `The service returned ${status}.`, failure);
}
function descriptionIn(body) {
  try {
    const { description } = JSON.parse(body);
    return typeof description === "string" && description !== "" ? description : void 0;
  } catch {
    return void 0;
  }
}
function retryAfterOf(headers, now = Date.now()) {
  const value = headers.get("retry-after");
  if (value === null) return void 0;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1e3;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : void 0;
}
function problemsIn(message) {
  return message.replace(/\.$/, "").split("; ").flatMap((sentence) => {
    const [, field, problem] = /^"?([a-z_][\w.[\]]*)"? ((?:must|is|has|needs|may|should|cannot)\b.*)$/.exec(sentence) ?? [];
    return field === void 0 || problem === void 0 ? [] : [{ field, problem }];
  });
}

// clients/sdk/src/transport.ts
var import_node_crypto = require("node:crypto");
var import_promises = require("node:timers/promises");
var TIMEOUT_MS = 3e4;
var ATTEMPTS = 4;
var FIRST_DELAY_MS = 500;
var MAX_DELAY_MS = 6e4;
var WITHOUT_BODY = /* @__PURE__ */ new Set([204, 205, 304]);
function transport({
  fetch: fetch2 = globalThis.fetch,
  timeoutMs = TIMEOUT_MS,
  attempts = ATTEMPTS,
  maxDelayMs = MAX_DELAY_MS,
  onRetry
} = {}) {
  return async (request) => {
    const { method, url, signal } = request;
    const headers = new Headers(request.headers);
    if (method === "POST" && !headers.has("idempotency-key")) headers.set("idempotency-key", (0, import_node_crypto.randomUUID)());
    const body = request.body === null ? void 0 : await request.arrayBuffer();
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(fetch2, url, { method, headers, body, redirect: "manual" }, signal, timeoutMs);
      } catch (error) {
        if (!(error instanceof AssayError) || !error.retryable || attempt >= attempts) throw error;
        const delayMs = delayOf(attempt, error);
        if (delayMs > maxDelayMs) throw error;
        onRetry?.(error, delayMs);
        await (0, import_promises.setTimeout)(delayMs, void 0, { signal });
      }
    }
  };
}
async function once(fetch2, url, init, signal, timeoutMs) {
  const limit = AbortSignal.timeout(timeoutMs);
  let response;
  let bytes;
  try {
    response = await fetch2(new Request(url, { ...init, signal: AbortSignal.any([signal, limit]) }));
    bytes = await response.arrayBuffer();
  } catch (error) {
    signal.throwIfAborted();
    throw limit.aborted ? new TimeoutError(`${new URL(url).origin} did not answer within ${timeoutMs / 1e3} seconds.`, {
      retryable: true
    }) : new ConnectionError(`Cannot reach ${new URL(url).origin}: ${reasonOf(error)}.`, {
      retryable: true,
      cause: error
    });
  }
  if (!response.ok) throw errorOf(response.status, response.headers, new TextDecoder().decode(bytes));
  const { status, statusText, headers } = response;
  return new Response(WITHOUT_BODY.has(status) ? null : bytes, { status, statusText, headers });
}
function delayOf(attempt, { retryAfter }) {
  const jitter = Math.random();
  if (retryAfter !== void 0) return retryAfter * 1e3 + jitter * 250;
  return Math.min(1e4, FIRST_DELAY_MS * 2 ** (attempt - 1)) * (0.5 + jitter / 2);
}
function reasonOf(error) {
  const { cause, errors, message, name } = error;
  if (cause !== void 0 && cause !== null) return reasonOf(cause);
  if (Array.isArray(errors) && errors.length > 0) return reasonOf(errors[0]);
  return message || name || String(error);
}

// clients/sdk/src/client.ts
function createAssay({ url, key, secret, signal, userAgent, ...options }) {
  return createClient({
    baseUrl: url.replace(/\/+$/, ""),
    fetch: transport(options),
    ...signal !== void 0 && { signal },
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`,
      ...userAgent !== void 0 && { "user-agent": userAgent }
    }
  });
}
async function dataOf(answer) {
  const { data, response } = await answer.catch((error) => {
    if (error instanceof SyntaxError) throw notOfAssay(error);
    throw error;
  });
  if (data === void 0 || typeof data === "string" && isJson(response)) throw notOfAssay();
  return data;
}
var isJson = ({ headers }) => headers.get("content-type")?.includes("json") === true;
var notOfAssay = (cause) => new InvalidResponseError("The response is not one of Assay. Check the address, and what is between it and you.", {
  cause
});

// clients/sdk/src/explanations.ts
async function explanationsOf(client, uuid, severity, signal) {
  try {
    const query = { format: "json", severity };
    const options = { params: { path: { uuid }, query }, signal };
    return explanationsIn(await dataOf(client.GET("/v1/jobs/{uuid}/report", options)));
  } catch {
    return /* @__PURE__ */ new Map();
  }
}
function explanationsIn(report) {
  const { findings = [] } = report ?? {};
  return new Map(
    findings.map(({ id, md = "" }) => {
      const [, fix] = /\*\*How to fix it\.\*\*\s+([^]*?)(?:\n\n|$)/.exec(md) ?? [];
      const [, proved] = /which showed\s+([^]*?)(?:\n\n|$)/.exec(md) ?? [];
      return [id, { fix: fix?.replace(/(?:,? in [\w ]+)?:$/, "."), proved }];
    })
  );
}
function commandFor(url, findings, depth) {
  const checks = [...new Set(findings.map(({ check }) => check ?? ""))].filter((id) => /^[\w.:-]+$/.test(id));
  const target = /^https?:\/\/[\w.:/%-]+$/.test(url ?? "") ? url : "URL";
  const deep = depth === "active" ? " --depth active" : "";
  return checks.length === 0 ? void 0 : `assay scan ${target}${deep} --wait --checks ${checks.join(" ")}`;
}

// clients/sdk/src/gate.ts
var import_promises3 = require("node:timers/promises");

// clients/sdk/src/waiting.ts
var import_promises2 = require("node:timers/promises");

// clients/sdk/src/limited.ts
function limited(ms, ...signals) {
  const controller2 = new AbortController();
  const end = (reason) => controller2.abort(reason);
  if (ms < Infinity) setTimeout(end, ms, new DOMException("The time is over.", "TimeoutError")).unref();
  for (const signal of signals) {
    if (signal?.aborted === true) end(signal.reason);
    signal?.addEventListener("abort", () => end(signal.reason), { once: true });
  }
  return controller2.signal;
}

// clients/sdk/src/waiting.ts
var INTERVAL_MS = 2e3;
async function waitUntil(read, isFinal, { signal, timeoutMs, intervalMs = INTERVAL_MS, onState }) {
  const either = limited(timeoutMs ?? Infinity, signal);
  let state;
  let shown = "";
  try {
    for (; ; ) {
      state = await read(either);
      if (JSON.stringify(state) !== shown) onState?.(state);
      shown = JSON.stringify(state);
      if (isFinal(state)) return { ended: true, state };
      await (0, import_promises2.setTimeout)(intervalMs, void 0, { signal: either });
    }
  } catch (error) {
    if (!either.aborted) throw error;
    return { ended: false, state, cutBy: signal?.aborted === true ? "signal" : "timeout" };
  }
}
var ENDED_JOBS = /* @__PURE__ */ new Set(["FINISHED", "ERROR", "CANCELED"]);
var waitForJob = (client, uuid, options = {}) => waitUntil(
  (signal) => dataOf(client.GET("/v1/jobs/{uuid}/status", { params: { path: { uuid } }, signal })),
  ({ status }) => ENDED_JOBS.has(status),
  options
);

// clients/sdk/src/gate.ts
var NotLaunchableError = class extends AssayError {
};
async function launch(client, scan, signal, signalOfLaunch = signal) {
  const { url, event, beacon, checks = [], depth, accounts = [] } = scan;
  const body = {
    url,
    ...event !== void 0 && { event_slug: event },
    ...beacon !== void 0 && { beacon_id: beacon },
    ...checks.length > 0 && { checks: [...checks] },
    ...depth !== void 0 && { depth }
  };
  const launched = { ...body, ...accounts.length > 0 && { accounts: [...accounts] } };
  const { valid, reason } = await dataOf(client.POST("/v1/jobs/check", { body, signal }));
  if (valid !== true) throw new NotLaunchableError(reason ?? `${url} may not be tested.`);
  const { uuid } = await dataOf(client.POST("/v1/jobs/launch", { body: launched, signal: signalOfLaunch }));
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid))
    throw new InvalidResponseError("The response to the launch has no id of a job.");
  return uuid;
}
async function readGate(client, uuid, { severity = "medium", allowIncomplete = false, newSince }, signal) {
  const query = {
    severity,
    ...allowIncomplete && { incomplete: "allow" },
    ...newSince !== void 0 && { fail_on: "new", reference: newSince }
  };
  const { response, data } = await client.GET("/v1/jobs/{uuid}/success", {
    params: { path: { uuid }, query },
    parseAs: "text",
    signal
  });
  const success = response.status === 200 ? answerIn(String(data)) : void 0;
  if (success === void 0) throw new InvalidResponseError("The response is not the result of a job.");
  return { success, isKnown: success.success !== null };
}
function answerIn(text) {
  try {
    const answer = parseUnambiguousJson(text);
    const { success, description } = answer;
    return [true, false, null].includes(success) && typeof description === "string" ? answer : void 0;
  } catch {
    return void 0;
  }
}
async function recordReference(client, uuid, reference, signal) {
  const options = { params: { path: { uuid } }, body: { reference }, signal };
  return (await dataOf(client.POST("/v1/jobs/{uuid}/reference", options))).description;
}
async function waitForGate(client, uuid, options) {
  const { signal, intervalMs, onStatus } = options;
  const waited = await waitForJob(client, uuid, { signal, intervalMs, onState: ({ status: status2 }) => onStatus?.(status2) });
  const status = waited.state?.status;
  if (!waited.ended)
    return { gate: "unknown", status, reason: `The wait ended while the job was ${status ?? "unread"}.` };
  if (status === "FINISHED") await options.onFinished?.(uuid);
  for (; ; ) {
    const { success, isKnown } = await readGate(client, uuid, options, signal);
    if (isKnown) {
      const passed = success.success === true && waited.state.status === "FINISHED";
      return { gate: passed ? "passed" : "failed", status: waited.state.status, success };
    }
    await (0, import_promises3.setTimeout)(intervalMs ?? 1e3, void 0, { signal });
  }
}

// clients/sdk/src/node-fetch.ts
var import_node_http = require("node:http");
var import_node_https = require("node:https");
var import_node_net = require("node:net");
var import_node_stream = require("node:stream");
var import_consumers = require("node:stream/consumers");
var import_node_tls = require("node:tls");
function nodeFetch({ proxy, ca, environment = process.env } = {}) {
  const authorities = ca === void 0 ? {} : { ca: [...import_node_tls.rootCertificates, ca] };
  return async (request) => {
    const url = new URL(request.url);
    const via = proxy ?? proxyFor(url, environment);
    const body = request.body === null ? void 0 : Buffer.from(await request.arrayBuffer());
    const headers = {
      ...Object.fromEntries(request.headers),
      ...body && { "content-length": String(body.length) }
    };
    const options = { method: request.method, signal: request.signal, headers, agent: false };
    if (via === void 0) return send(url, { ...options, ...authorities }, body);
    const proxyUrl = parseProxy(via);
    const authorization = credentialsOf(proxyUrl);
    if (url.protocol === "http:") {
      const all = { ...headers, ...authorization, host: url.host };
      return send(proxyUrl, { ...options, ...authorities, headers: all, path: url.href }, body);
    }
    const tunnel = await tunnelTo(url, proxyUrl, authorization, request.signal);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const socket = (0, import_node_tls.connect)({
      socket: tunnel,
      // The certificate must be of this name or address: without it, that of the tunnel would count.
      host,
      servername: (0, import_node_net.isIP)(host) === 0 ? host : "",
      ...authorities
    });
    socket.on("error", () => {
    });
    return send(url, { ...options, agent: void 0, createConnection: () => socket }, body);
  };
}
function send(url, options, body) {
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? (0, import_node_https.request)(url, options) : (0, import_node_http.request)(url, options);
    request.once("error", reject);
    request.once("response", (answer) => {
      const headers = new Headers();
      for (let at = 0; at < answer.rawHeaders.length; at += 2)
        headers.append(answer.rawHeaders[at] ?? "", answer.rawHeaders[at + 1] ?? "");
      const { statusCode = 0 } = answer;
      const isEmpty = [204, 205, 304].includes(statusCode) || statusCode < 200;
      const content = isEmpty ? null : import_node_stream.Readable.toWeb(answer);
      if (isEmpty) answer.resume();
      try {
        resolve(new Response(content, { status: statusCode, headers }));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    request.end(body);
  });
}
function tunnelTo(url, proxy, headers, signal) {
  const target = `${url.hostname}:${url.port === "" ? "443" : url.port}`;
  const connect = proxy.protocol === "https:" ? import_node_https.request : import_node_http.request;
  return new Promise((resolve, reject) => {
    const request = connect(proxy, {
      method: "CONNECT",
      path: target,
      headers: { ...headers, host: target },
      agent: false,
      signal
    });
    request.once("error", reject);
    request.once("connect", (answer, socket) => {
      if (answer.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} refused the connection with ${answer.statusCode}`));
    });
    request.once("response", (answer) => {
      void (0, import_consumers.buffer)(answer).catch(() => void 0);
      reject(new Error(`the proxy ${proxy.host} answered with ${answer.statusCode}`));
    });
    request.end();
  });
}
function parseProxy(text) {
  try {
    const url = new URL(text.includes("://") ? text : `http://${text}`);
    if (["http:", "https:"].includes(url.protocol)) return url;
  } catch {
  }
  throw new Error("the proxy is not the URL of an HTTP proxy, such as http://proxy.example.com:3128");
}
var credentialsOf = ({ username, password }) => {
  if (username === "" && password === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
};
function proxyFor({ protocol, hostname, port }, environment) {
  const read = (name) => environment[name.toLowerCase()] ?? environment[name] ?? "";
  const proxy = read(protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY") || read("ALL_PROXY");
  if (proxy === "") return void 0;
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const number = port === "" ? protocol === "https:" ? "443" : "80" : port;
  const entries = read("NO_PROXY").toLowerCase().split(/[\s,]+/);
  return entries.some((entry) => entry !== "" && excepts(entry, host, number)) ? void 0 : proxy;
}
function excepts(entry, host, port) {
  if (entry === "*" || entry === host) return true;
  const [block = "", length] = entry.split("/");
  const family = (0, import_node_net.isIP)(host) === 6 ? "ipv6" : "ipv4";
  if (length !== void 0) {
    if ((0, import_node_net.isIP)(host) === 0 || (0, import_node_net.isIP)(block) !== (0, import_node_net.isIP)(host) || !/^\d{1,3}$/.test(length)) return false;
    const list = new import_node_net.BlockList();
    list.addSubnet(block, Math.min(Number(length), family === "ipv6" ? 128 : 32), family);
    return list.check(host, family);
  }
  const [, name = "", digits] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? [];
  if (digits !== void 0 && digits !== port) return false;
  const domain = name.replace(/^\*?\./, "");
  return domain !== "" && (host === domain || (0, import_node_net.isIP)(host) === 0 && host.endsWith(`.${domain}`));
}

// clients/sdk/src/pipeline.ts
var GRACE_MS = 1e4;
async function runPipeline(client, scan, options) {
  const { signal } = options;
  const late = new AbortController();
  signal.addEventListener("abort", () => setTimeout(() => late.abort(signal.reason), GRACE_MS).unref(), { once: true });
  let uuid;
  try {
    uuid = await launch(client, scan, signal, late.signal);
    options.onLaunch?.(uuid);
    const result = await waitForGate(client, uuid, options);
    if (result.gate !== "unknown") return { uuid, result, scan: "ended" };
    return { uuid, result, scan: await leave(client, uuid, options) };
  } catch (error) {
    const reason = signal.aborted ? "The run was ended." : error instanceof Error ? error.message : String(error);
    const result = { gate: "unknown", status: void 0, reason };
    const left = uuid === void 0 ? "none" : await leave(client, uuid, options);
    return { uuid, result, error, scan: left };
  }
}
async function leave(client, uuid, { keepsScan = false }) {
  if (keepsScan) return "running";
  try {
    const signal = limited(GRACE_MS);
    await dataOf(client.POST("/v1/jobs/{uuid}/cancel", { params: { path: { uuid } }, signal }));
    return "canceled";
  } catch (error) {
    return error.status === 409 ? "ended" : "running";
  }
}

// clients/sdk/src/safe-text.ts
var UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;
var textOf = (value) => {
  if (value === null || value === void 0) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
};
var harmless = (text) => text.replace(UNSAFE, "\uFFFD").replace(/##+/gu, "#");
var safeLine = (text) => harmless(textOf(text).replace(/\s+/gu, " ")).trim();

// clients/sdk/src/sarif.ts
function withCategory(log, category) {
  const { runs = [] } = log ?? {};
  const categorized = runs.map((one) => ({ ...one, automationDetails: { id: `${category}/` } }));
  return JSON.stringify({ ...log, runs: categorized });
}
var incompleteSarif = (category, reason, version) => JSON.stringify({
  $schema: "https://json.schemastore.org/sarif-2.1.0.json",
  version: "2.1.0",
  runs: [
    {
      tool: { driver: { name: "Assay", version } },
      automationDetails: { id: `${category}-incomplete/` },
      invocations: [
        {
          executionSuccessful: false,
          toolExecutionNotifications: [{ level: "error", message: { text: `The scan is incomplete: ${reason}` } }]
        }
      ],
      results: []
    }
  ]
});

// clients/action/src/comment.ts
var import_node_fs = require("node:fs");
var WRITERS = /* @__PURE__ */ new Set(["OWNER", "MEMBER", "COLLABORATOR"]);
var isOfWriter = ({ user, author_association: association = "" }) => user?.type === "Bot" || WRITERS.has(association);
function pullRequestOf({ env }) {
  try {
    const event = JSON.parse((0, import_node_fs.readFileSync)(env["GITHUB_EVENT_PATH"] ?? "", "utf8"));
    const number = event.pull_request?.number;
    return Number.isInteger(number) ? number : void 0;
  } catch {
    return void 0;
  }
}
async function writeComment(runner2, token, category, markdown) {
  const { env } = runner2;
  const number = pullRequestOf(runner2);
  if (number === void 0) return;
  const base = `${env["GITHUB_API_URL"] ?? "https://api.github.com"}/repos/${env["GITHUB_REPOSITORY"]}/issues`;
  const call = async (method, url, body) => {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/vnd.github+json",
        "user-agent": "assay-action",
        ...body && { "content-type": "application/json" }
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(2e4)
    });
    if (!response.ok) throw new Error(`GitHub returned ${response.status} for ${method}.`);
    return response.json();
  };
  const marker = `<!-- assay: ${category.replaceAll(/[^\w./ ]/g, "-")} -->`;
  const text = `${marker}
${markdown}`;
  for (let page = 1; ; page++) {
    const comments = await call("GET", `${base}/${number}/comments?per_page=100&page=${page}`);
    const own = comments.find((comment) => comment.body?.startsWith(marker) === true && isOfWriter(comment));
    if (own !== void 0) return void await call("PATCH", `${base}/comments/${own.id}`, { body: text });
    if (comments.length < 100) break;
  }
  await call("POST", `${base}/${number}/comments`, { body: text });
}

// clients/action/src/markdown.ts
var MAX_TEXT = 500;
function plain(text, length = MAX_TEXT) {
  const letters = Array.from(safeLine(text));
  const shown = letters.length > length ? [...letters.slice(0, length), "\u2026"] : letters;
  return shown.map((letter) => /[\p{L}\p{N} ]/u.test(letter) ? letter : `&#${letter.codePointAt(0)};`).join("").replaceAll(/&#(?:35|58|64);/g, "$&<!-- -->");
}
var linked = (text, url) => typeof url === "string" && /^https?:\/\/[\w.:/[\]-]+$/.test(url) ? `[${text}](${url})` : text;
function markdownOf({ url, uuid, result, scan, explanations }) {
  if (result.gate === "unknown")
    return [
      "### Assay: no result",
      `${plain(result.reason)} ${scan === "canceled" ? "The scan is canceled." : scan === "running" ? "The scan goes on." : ""}`,
      "Nothing is known, so this step failed."
    ].join("\n\n");
  const { success, status } = result;
  const findings = success.failing_findings ?? [];
  const incomplete = success.incomplete_checks ?? [];
  const parts = [
    `### Assay: ${result.gate === "passed" ? "passed" : "failed"}`,
    `${plain(url)}: ${plain(success.description)}`,
    `Scan ${plain(uuid)}, ${plain(status)}. ${incomplete.length === 0 ? "All checks are complete." : `${incomplete.length} incomplete: ${plain(incomplete.map(({ id }) => id).join(", "))}.`}`
  ];
  if (findings.length > 0) {
    const rows = findings.map((one) => {
      const title = linked(plain(one.title), one.url);
      return `| ${plain(one.severity)} | ${one.proved ? "proved" : "claimed"} | ${title} | ${plain(one.place)} |`;
    });
    parts.push(["| Severity | Belief | Finding | Where |", "| --- | --- | --- | --- |", ...rows].join("\n"));
    const details = findings.flatMap((one) => {
      const { proved, fix } = explanations.get(one.id) ?? {};
      const lines = [
        ...proved === void 0 ? [] : [`  - Proved: ${plain(proved)}`],
        ...fix === void 0 ? [] : [`  - How to fix it: ${plain(fix)}`]
      ];
      return lines.length === 0 ? [] : [`- ${plain(one.title)}`, ...lines];
    });
    if (details.length > 0) parts.push(details.join("\n"));
    const hidden = (success.failing ?? 0) - findings.length;
    if (hidden > 0) parts.push(`And ${hidden} more.`);
    const command = commandFor(url, findings);
    if (command !== void 0) parts.push(`To repeat these tests:

\`\`\`sh
${command}
\`\`\``);
  }
  return parts.join("\n\n");
}

// clients/action/src/action.ts
var SEVERITIES = ["none", "info", "low", "medium", "high", "critical", "cosmic"];
var MAX_ANNOTATIONS = 10;
var MAX_SECONDS = 2e6;
function oneOf(name, value, words) {
  const word = words.find((one) => one === value);
  if (word === void 0) throw new Error(`The input ${name} must be one of ${words.join(", ")}.`);
  return word;
}
function wholeOf(name, value) {
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value);
  throw new Error(`The input ${name} must be a whole number.`);
}
async function runAction(runner2, stopped, intervalMs = 5e3) {
  try {
    return await scanned(runner2, stopped, intervalMs);
  } catch (error) {
    runner2.annotate("error", "Assay", error instanceof Error ? error.message : String(error));
    return 2;
  }
}
async function scanned(runner2, stopped, intervalMs) {
  const secret = runner2.required("api-secret");
  runner2.hide(secret);
  const severity = oneOf("severity", runner2.input("severity") ?? "medium", SEVERITIES);
  const allowIncomplete = runner2.input("incomplete") !== void 0;
  if (allowIncomplete) oneOf("incomplete", runner2.input("incomplete") ?? "", ["allow"]);
  const isNew = oneOf("fail-on", runner2.input("fail-on") ?? "all", ["all", "new"]) === "new";
  const record = runner2.input("record");
  const url = runner2.required("url");
  const beacon = runner2.input("beacon");
  const scan = {
    url,
    event: runner2.input("event"),
    beacon: beacon === void 0 ? void 0 : wholeOf("beacon", beacon),
    checks: runner2.input("checks")?.split(/\s+/),
    depth: oneOf("depth", runner2.input("depth") ?? "standard", ["standard", "active"])
  };
  const category = runner2.input("category") ?? "assay";
  const caFile = runner2.input("ca-file");
  const client = createAssay({
    url: runner2.required("assay-url"),
    key: runner2.required("api-key"),
    secret,
    attempts: Infinity,
    userAgent: `assay-action/${"0.2.0"}`,
    fetch: nodeFetch({ ca: caFile === void 0 ? void 0 : (0, import_node_fs2.readFileSync)(caFile, "utf8"), environment: runner2.env }),
    onRetry: ({ message }) => runner2.log(`${message} Trying again.`)
  });
  const timeout = wholeOf("timeout", runner2.input("timeout") ?? "600");
  const signal = limited(Math.min(timeout, MAX_SECONDS) * 1e3, stopped);
  const file = runner2.input("sarif-file") ?? "assay.sarif";
  let explanations = /* @__PURE__ */ new Map();
  let isReported = false;
  const run = await runPipeline(client, scan, {
    signal,
    severity,
    allowIncomplete,
    newSince: isNew ? runner2.input("reference") ?? "main" : void 0,
    intervalMs,
    onLaunch: (uuid) => runner2.log(`Scan ${uuid} of ${url}`),
    onStatus: (status) => runner2.log(`The scan is ${status}`),
    onFinished: async (uuid) => {
      (0, import_node_fs2.writeFileSync)(file, await sarifOf(client, uuid, severity, category, signal));
      isReported = true;
      if (record !== void 0) runner2.log(await recordReference(client, uuid, record, signal));
      explanations = await explanationsOf(client, uuid, severity, signal);
    }
  });
  if (!isReported) {
    const { result } = run;
    const reason = safeLine(result.gate === "unknown" ? result.reason : result.success.description);
    (0, import_node_fs2.writeFileSync)(file, incompleteSarif(category, reason, "0.2.0"));
  }
  runner2.output("success", run.result.gate === "unknown" ? "" : String(run.result.gate === "passed"));
  runner2.output("uuid", run.uuid ?? "");
  runner2.output("report", file);
  annotate(runner2, url, run);
  const markdown = markdownOf({ url, uuid: run.uuid, result: run.result, scan: run.scan, explanations });
  runner2.summary(markdown);
  await commented(runner2, category, markdown);
  return run.result.gate === "passed" ? 0 : run.result.gate === "failed" ? 1 : 2;
}
async function sarifOf(client, uuid, severity, category, signal) {
  const query = { format: "sarif", severity };
  const log = await dataOf(client.GET("/v1/jobs/{uuid}/report", { params: { path: { uuid }, query }, signal }));
  return withCategory(log, category);
}
function annotate(runner2, url, { result, scan, uuid }) {
  if (result.gate === "unknown") {
    const what = scan === "running" ? ` The scan ${uuid} goes on.` : scan === "canceled" ? " The scan is canceled." : "";
    return runner2.annotate("error", "Assay: no result", `${result.reason}${what}`);
  }
  const { success, gate } = result;
  runner2.annotate(gate === "passed" ? "notice" : "error", `Assay: ${gate}`, success.description);
  const findings = success.failing_findings ?? [];
  for (const { severity, title, place, url: link } of findings.slice(0, MAX_ANNOTATIONS - 1))
    runner2.annotate("error", `${severity}: ${title}`, `${place ?? url}: ${link}`);
  for (const { severity, title, place, url: link } of findings)
    runner2.log(`${severity}: ${safeLine(title)}, at ${safeLine(place)}: ${link}`);
  const command = commandFor(url, findings);
  if (command !== void 0) runner2.log(`To repeat these tests: ${command}`);
}
async function commented(runner2, category, markdown) {
  const token = runner2.input("github-token");
  if (runner2.input("comment") !== "true" || token === void 0) return;
  try {
    await writeComment(runner2, token, category, markdown);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    runner2.annotate("warning", "Assay", `The comment in the pull request could not be written: ${reason}`);
  }
}

// clients/action/src/runner.ts
var import_node_crypto2 = require("node:crypto");
var import_node_fs3 = require("node:fs");
var escapeData = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
var escapeProperty = (text) => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
var Runner = class {
  constructor(env, print) {
    this.env = env;
    this.print = print;
  }
  env;
  print;
  input(name) {
    const value = this.env[`INPUT_${name.toUpperCase()}`]?.trim();
    return value === "" ? void 0 : value;
  }
  required(name) {
    const value = this.input(name);
    if (value === void 0) throw new Error(`The input ${name} is missing.`);
    return value;
  }
  /** The runner hides it in all logs from now on. */
  hide(secret) {
    this.print(`::add-mask::${escapeData(secret)}
`);
  }
  /** Text of others: the runner obeys nothing in it, because it knows the token only afterwards. */
  log(text) {
    const token = (0, import_node_crypto2.randomUUID)();
    this.print(`::stop-commands::${token}
${text.split("\n").map(safeLine).join("\n")}
::${token}::
`);
  }
  annotate(kind, title, text) {
    this.print(`::${kind} title=${escapeProperty(safeLine(title))}::${escapeData(safeLine(text))}
`);
  }
  output(name, value) {
    const delimiter = `assay-${(0, import_node_crypto2.randomUUID)()}`;
    this.append("GITHUB_OUTPUT", `${name}<<${delimiter}
${safeLine(value)}
${delimiter}
`);
  }
  summary(markdown) {
    this.append("GITHUB_STEP_SUMMARY", `${markdown}
`);
  }
  append(variable, text) {
    const file = this.env[variable];
    if (file !== void 0 && file !== "") (0, import_node_fs3.appendFileSync)(file, text);
  }
};

// clients/action/src/main.ts
var controller = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => controller.abort());
process.stdout.on("error", () => process.exit(2));
process.exitCode = 2;
var runner = new Runner(process.env, (text) => void process.stdout.write(text));
void runAction(runner, controller.signal).then((code) => {
  process.exitCode = code;
});
/*
openapi-fetch

MIT License

Copyright (c) 2023 Drew Powers

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/

// Talks to a simulated engine as an application does:  node openai_client.mjs BASE_URL
import assert from "node:assert/strict";
import OpenAI from "openai";

const base = process.argv[2];
if (!base) {
  console.error("usage: node openai_client.mjs http://127.0.0.1:PORT");
  process.exit(2);
}
const client = new OpenAI({ baseURL: `${base}/v1`, apiKey: "none", maxRetries: 0, timeout: 60_000 });

let passed = 0;
let failed = 0;
async function check(what, run) {
  try {
    await run();
    passed += 1;
    console.log(`ok      ${what}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${what}: ${error.stack ?? error}`);
  }
}

// The simulator's tokens are words and full stops, so a text tells how many it has.
const tokensOf = (text) => (text.match(/[A-Za-z]+|\./g) ?? []).length;
const say = (content) => [{ role: "user", content }];

// The sum of a metric over its series; undefined when the page has none of it.
async function metric(name) {
  const page = await (await fetch(`${base}/metrics`)).text();
  const values = page
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => Number(line.slice(line.lastIndexOf(" "))));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

async function until(what, condition) {
  const limit = Date.now() + 20_000;
  while (!(await condition())) {
    assert.ok(Date.now() < limit, `never came true: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const models = await client.models.list();
const model = models.data[0].id;
const room = models.data[0].max_model_len;

await check("models are listed", async () => {
  assert.equal(models.data.length, 1);
  assert.equal(models.data[0].object, "model");
  assert.ok(room > 0);
  assert.ok(models.data[0].created > 1_500_000_000);
});

await check("a streamed chat has as many tokens as its usage says", async () => {
  const chunks = await collect(
    await client.chat.completions.create({
      model,
      messages: say("Tell me a story."),
      max_tokens: 40,
      ignore_eos: true,
      stream: true,
      stream_options: { include_usage: true },
    }),
  );
  assert.deepEqual(chunks[0].choices[0].delta, { role: "assistant", content: "" });
  const usage = chunks.at(-1);
  assert.deepEqual(usage.choices, []);
  assert.equal(usage.usage.completion_tokens, 40);
  assert.equal(usage.usage.total_tokens, usage.usage.prompt_tokens + 40);
  const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
  assert.equal(tokensOf(text), 40);
  assert.equal(chunks.at(-2).choices[0].finish_reason, "length");
  assert.equal(new Set(chunks.map((chunk) => chunk.id)).size, 1);
  assert.match(chunks[0].id, /^chatcmpl-[0-9a-f]{32}$/);
});

await check("usage grows from chunk to chunk when asked to", async () => {
  const chunks = await collect(
    await client.chat.completions.create({
      model,
      messages: say("Count."),
      max_completion_tokens: 12,
      ignore_eos: true,
      stream: true,
      stream_options: { include_usage: true, continuous_usage_stats: true },
    }),
  );
  const said = chunks.map((chunk) => chunk.usage.completion_tokens);
  assert.equal(said[0], 0);
  assert.equal(said.at(-1), 12);
  assert.ok(said.every((count, i) => i === 0 || count >= said[i - 1]), said.join(" "));
});

await check("the stream helper puts a chat together", async () => {
  const whole = await client.chat.completions
    .stream({ model, messages: say("Hello"), max_tokens: 20, ignore_eos: true, n: 2 })
    .finalChatCompletion();
  assert.equal(whole.choices.length, 2);
  for (const choice of whole.choices) {
    assert.equal(choice.message.role, "assistant");
    assert.equal(tokensOf(choice.message.content), 20);
  }
});

await check("a chat in one piece", async () => {
  const answer = await client.chat.completions.create({
    model,
    messages: [{ role: "system", content: "Be brief." }, ...say([{ type: "text", text: "Hi" }])],
    max_tokens: 8,
    temperature: 0.5,
    stop: ["\n"],
  });
  assert.equal(answer.object, "chat.completion");
  assert.equal(answer.choices[0].message.role, "assistant");
  assert.equal(tokensOf(answer.choices[0].message.content), answer.usage.completion_tokens);
  assert.ok(answer.usage.completion_tokens >= 1 && answer.usage.completion_tokens <= 8);
  assert.ok(["stop", "length"].includes(answer.choices[0].finish_reason));
});

await check("completions of several prompts", async () => {
  const answer = await client.completions.create({
    model,
    prompt: ["one", "two", "three"],
    max_tokens: 5,
    ignore_eos: true,
  });
  assert.deepEqual(answer.choices.map((choice) => choice.index), [0, 1, 2]);
  assert.ok(answer.choices.every((choice) => tokensOf(choice.text) === 5));
  assert.equal(answer.usage.completion_tokens, 15);
});

await check("a streamed completion", async () => {
  const chunks = await collect(
    await client.completions.create({ model, prompt: "Once", max_tokens: 9, ignore_eos: true, stream: true }),
  );
  assert.equal(tokensOf(chunks.map((chunk) => chunk.choices[0].text).join("")), 9);
  assert.equal(chunks.at(-1).choices[0].finish_reason, "length");
});

await check("40 streams at a time keep their tokens", async () => {
  const streams = Array.from({ length: 40 }, async (_, i) => {
    const chunks = await collect(
      await client.chat.completions.create({
        model,
        messages: say(`Number ${i}`),
        max_tokens: 10 + i,
        ignore_eos: true,
        stream: true,
      }),
    );
    assert.equal(tokensOf(chunks.map((chunk) => chunk.choices[0].delta.content).join("")), 10 + i);
  });
  await Promise.all(streams);
});

// vLLM's gauges stand still when every request was cancelled (vllm#22545), here as there; so
// its counter of tokens tells whether it works for anybody.
async function working() {
  const before = await metric("vllm:generation_tokens_total");
  await new Promise((resolve) => setTimeout(resolve, 150));
  return (await metric("vllm:generation_tokens_total")) > before;
}

await check("a stream that is dropped leaves the engine", async () => {
  await until("the engine is idle", async () => !(await working()));
  const stream = await client.chat.completions.create({
    model,
    messages: say("Talk on and on."),
    max_tokens: Math.floor(room / 2),
    ignore_eos: true,
    stream: true,
  });
  let tokens = 0;
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta.content) tokens += 1;
    if (tokens === 3) {
      assert.ok(await working());
      stream.controller.abort();
    }
  }
  assert.ok(tokens >= 3);
  await until("the request is gone", async () => !(await working()));
});

await check("a whole answer that nobody waits for leaves the engine", async () => {
  const controller = new AbortController();
  const asked = client.chat.completions.create(
    { model, messages: say("Take your time."), max_tokens: Math.floor(room / 2), ignore_eos: true },
    { signal: controller.signal },
  );
  const refused = assert.rejects(asked, OpenAI.APIUserAbortError);
  await until("the request runs", working);
  controller.abort();
  await refused;
  await until("the request is gone", async () => !(await working()));
});

await check("another model is not found", async () => {
  await assert.rejects(
    client.chat.completions.create({ model: "nobody/nothing", messages: say("Hi") }),
    (error) =>
      error instanceof OpenAI.NotFoundError && error.status === 404 && /nobody\/nothing/.test(error.message),
  );
});

await check("wrong fields are bad requests", async () => {
  const wrong = [
    [{ max_tokens: -1 }, /max_tokens/],
    [{ max_tokens: room + 1 }, new RegExp(`${room}`)],
    [{ messages: [] }, /messages/],
    [{ n: 100 }, /\bn must\b/],
    [{ temperature: "hot" }, /temperature/],
  ];
  for (const [fields, message] of wrong) {
    await assert.rejects(
      client.chat.completions.create({ model, messages: say("Hi"), ...fields }),
      (error) => error instanceof OpenAI.BadRequestError && message.test(error.message),
      JSON.stringify(fields),
    );
  }
});

await check("a second turn finds the first one in the prefix cache", async () => {
  const hits = "vllm:prefix_cache_hits_total";
  const before = await metric(hits);
  assert.notEqual(before, undefined, `the page has no ${hits}`);
  const question = Array.from({ length: 400 }, (_, i) => `word${i}`).join(" ");
  const first = await client.chat.completions.create({ model, messages: say(question), max_tokens: 5 });
  const answer = first.choices[0].message;
  const turns = [...say(question), { role: "assistant", content: answer.content }, ...say("And then?")];
  await client.chat.completions.create({ model, messages: turns, max_tokens: 5 });
  const after = await metric(hits);
  assert.ok(after - before >= first.usage.prompt_tokens - 32, `${before} -> ${after}`);
});

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

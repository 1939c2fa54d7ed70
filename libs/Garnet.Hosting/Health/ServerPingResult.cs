// What came of a ping. Immutable, any thread.
namespace Garnet.Hosting.Health;

/// <summary>What came of asking a server.</summary>
/// <param name="Answers">Whether it answered at all, be it with an error.</param>
/// <param name="IsReady">Whether it executes commands: it neither loads data nor refuses writes.</param>
/// <param name="Line">For people: the place, and the answer or what went wrong.</param>
public sealed record ServerPingResult(bool Answers, bool IsReady, string Line);

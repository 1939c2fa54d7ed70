// What came of a ping. Immutable, any thread.
namespace Garnet.Hosting.Health;

/// <summary>What came of asking a server.</summary>
/// <param name="Answers">Whether it answered at all, be it with an error.</param>
/// <param name="IsReady">
/// Whether it executed the command: it neither loads data, nor refuses writes, nor asks for a password or certificate that is missing.
/// </param>
/// <param name="Line">For people: the place, and the answer or what went wrong.</param>
internal sealed record ServerPingResult(bool Answers, bool IsReady, string Line);

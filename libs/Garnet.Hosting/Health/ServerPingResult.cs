// The result of a ping. Immutable, any thread.
namespace Garnet.Hosting.Health;

/// <summary>The result of pinging a server.</summary>
/// <param name="Answers">Whether it answered at all, even with an error.</param>
/// <param name="IsReady">
/// Whether it executed the command: it neither loads data, nor refuses writes, nor asks for a password or certificate that is missing.
/// </param>
/// <param name="Line">For people: the endpoint, and the answer or the error.</param>
internal sealed record ServerPingResult(bool Answers, bool IsReady, string Line);

// A module for tests that decides about logins. Thread-safe.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Modules;

namespace Garnet.Server.Tests.Modules;

/// <summary>The password says what the hooks do: the one added last is asked first.</summary>
[Module("logins")]
public sealed class Logins : IModule
{
    private readonly ConcurrentDictionary<string, TaskCompletionSource<AuthenticationResult>> _waiting = new();

    public void Load(IModuleHost host)
    {
        host.AddAuthentication(
            static (request, _) => new(Says(request, "first") ? AuthenticationResult.Deny("ERR the first hook") : default)
        );
        host.AddAuthentication(
            (request, stopped) =>
                Encoding.ASCII.GetString(request.Password.Span) switch
                {
                    "token" or "first" when request.UserName == "ann" && Says(request, "token") => new(AuthenticationResult.Allow("ann")),
                    "as-bob" => new(AuthenticationResult.Allow("bob")),
                    "as-nobody" => new(AuthenticationResult.Allow("nobody")),
                    "deny" => new(AuthenticationResult.Deny($"LOCKED {request.UserName} at {request.ClientAddress}")),
                    "usual" => new(AuthenticationResult.Deny()),
                    "throw" => throw new InvalidDataException("in a hook"),
                    "later" => LaterAsync(request.UserName, stopped),
                    _ => default,
                }
        );
    }

    [Command("LOGIN.DECIDE")]
    public void Decide(ref ModuleContext context, ReadOnlySpan<byte> user, ReadOnlySpan<byte> decision)
    {
        bool isWaiting = _waiting.TryRemove(Encoding.ASCII.GetString(user), out TaskCompletionSource<AuthenticationResult>? login);
        string text = Encoding.ASCII.GetString(decision);
        if (text == "throw")
            login?.SetException(new InvalidDataException("later"));
        else
            login?.SetResult(text == "pass" ? AuthenticationResult.PassOn : AuthenticationResult.Allow(text));
        context.Reply.WriteBoolean(isWaiting);
    }

    [Command("LOGIN.COUNT")]
    public void Count(ref ModuleContext context) => context.Reply.WriteInteger(_waiting.Count);

    private static bool Says(AuthenticationRequest request, string password) =>
        request.Password.Span.SequenceEqual(Encoding.ASCII.GetBytes(password));

    private async ValueTask<AuthenticationResult> LaterAsync(string user, CancellationToken stopped)
    {
        TaskCompletionSource<AuthenticationResult> login = _waiting.GetOrAdd(user, static _ => new());
        try
        {
            return await login.Task.WaitAsync(stopped).ConfigureAwait(false);
        }
        finally
        {
            _waiting.TryRemove(user, out _);
        }
    }
}

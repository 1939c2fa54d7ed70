// Checks the requests of append-only files without executing them. One thread.
using Garnet.Engine.Execution;
using Garnet.Persistence.AppendLog;
using Garnet.Protocol;
using Garnet.Server.Persistence.Replay;
using Garnet.Server.Scripting;

namespace Garnet.Server.Persistence.Aof;

/// <summary>Counts requests, and rejects those that are no command of this server or have functions that it cannot load.</summary>
/// <param name="commands">The commands of a server.</param>
internal sealed class AofEffectCheck(CommandTable commands) : IEffectApplier
{
    private readonly RequestParser _parser = new() { MaxBulkBytes = int.MaxValue };
    private readonly ArgumentTable _arguments = new();
    private readonly FunctionEffects _functions = new();

    /// <summary>Requests seen.</summary>
    public long Count { get; private set; }

    /// <inheritdoc/>
    /// <exception cref="AppendOnlyLogException">One is not understood.</exception>
    public void Apply(ArraySegment<byte> effects, string file, long position)
    {
        for (int at = 0; at < effects.Count; )
        {
            // Empty lines replace annotations.
            while (at < effects.Count - 1 && effects[at] == '\n')
                at++;
            int start = at;
            _arguments.Clear();
            if (_parser.Parse(effects, ref at, _arguments, out RequestRange request) != ParseStatus.Complete)
            {
                throw new AppendOnlyLogException(
                    file,
                    position + start,
                    FormattableString.Invariant($"the effects are not valid requests: {_parser.Error}"),
                    "Restore the file from a copy"
                );
            }

            if (request.ArgumentCount == 0)
                continue;
            Count++;
            if (Problem(effects, request) is { } problem)
            {
                throw new AppendOnlyLogException(
                    file,
                    position + start,
                    problem,
                    "This server does not know it; start the server that wrote the file, rewrite it there (BGREWRITEAOF), and try again"
                );
            }
        }
    }

    /// <inheritdoc/>
    public void Settle() { }

    private string? Problem(ReadOnlySpan<byte> effects, in RequestRange request)
    {
        ReadOnlySpan<byte> name = _arguments.Get(effects, request.FirstArgument);
        Command? found = commands.Find(name);
        if (found is { IsContainer: true } && request.ArgumentCount > 1)
            found = found.FindSubcommand(_arguments.Get(effects, request.FirstArgument + 1));
        if (found is null)
            return $"an effect is not understood: unknown command '{ArgumentText.Printable(name)}'";
        if (!found.AcceptsArgumentCount(request.ArgumentCount))
            return $"an effect is not understood: wrong number of arguments for '{found.FullName}' command";
        if (!ReplayRoute.MayCome(found))
            return $"an effect is not understood: '{found.FullName}' is not a command that servers replicate";
        return _functions.Check(effects, _arguments, request) is { } problem ? "an effect is not understood: " + problem : null;
    }
}

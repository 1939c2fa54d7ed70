// Has every value on disk before each command of a history, and counts which commands have read some. One thread.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Composition;
using Garnet.Store;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>The values of a server in this process.</summary>
internal sealed class ColdHistory : HistoryPressure
{
    // Fewer calls with a key that is on disk prove nothing: the key may have been an argument of another kind.
    private const int MinCalls = 10;
    private readonly Dictionary<Garnet.Engine.Execution.Command, (int Calls, int Reads)> _counts = [];
    private readonly RespServer _server;
    private readonly StoreSession _session;
    private long _readsBefore;
    private bool _hasColdKey;

    public ColdHistory(TestServer server)
    {
        _server = server.Server.Resp;
        ColdServer.Open(_server.Store, _server.Executor.Gates.ColdValues);
        _session = _server.Store.OpenSession();
    }

    /// <summary>Number of values that were read from disk.</summary>
    public long Reads => _server.Store.Tier!.Statistics.Reads;

    /// <summary>The commands that need values and were often called with keys whose values were on disk, but have read none.</summary>
    public IEnumerable<string> Unread =>
        _counts
            .Where(static each => each.Value is { Calls: >= MinCalls, Reads: 0 } && NeedsValue(each.Key))
            .Select(static each => each.Key.FullName);

    /// <inheritdoc/>
    public override void Before(Command command)
    {
        TierSweep.MoveAll(_server.Store);
        _readsBefore = Reads;
        _hasColdKey = command.Arguments.Skip(1).Any(key => TierSweep.IsCold(_session, key));
    }

    /// <inheritdoc/>
    public override void After(Command command, byte[] reply)
    {
        bool hasRun = reply.Length > 0 && reply[0] != '-' && !reply.AsSpan().SequenceEqual("+QUEUED\r\n"u8);
        if (!hasRun || !_hasColdKey || Find(command.Arguments) is not { } found)
            return;
        (int calls, int reads) = _counts.GetValueOrDefault(found);
        _counts[found] = (calls + 1, reads + (Reads > _readsBefore ? 1 : 0));
    }

    /// <inheritdoc/>
    public override void Dispose() => _session.Dispose();

    private static bool NeedsValue(Garnet.Engine.Execution.Command command) =>
        !command.Has(CommandTraits.IgnoresValue)
        && command.Descriptor.KeyFlags is null
        && command.Descriptor.Keys.Any(static spec => (spec.Flags & (KeySpecFlags.OW | KeySpecFlags.RM)) == 0);

    private Garnet.Engine.Execution.Command? Find(byte[][] arguments)
    {
        Garnet.Engine.Execution.Command? found = _server.Commands.Find(arguments[0]);
        return found is { IsContainer: true } && arguments.Length > 1 ? found.FindSubcommand(arguments[1]) : found;
    }
}

// Carries effects out again: of the append-only log at the start. One thread; nobody else changes the data meanwhile.
using System.Buffers;
using System.Text;
using Garnet.Protocol;
using Garnet.Server.Commands;
using Garnet.Server.Sessions;

namespace Garnet.Server.Persistence;

/// <summary>
/// A session without a connection: requests go through the server's own dispatcher, replies are dropped. Rules that are for clients (passwords, memory limits, pauses) do not hold:
/// what was accepted once is accepted again.
/// </summary>
internal sealed class EffectReplay : IErrorObserver, IDisposable
{
    private const int Batch = 64;

    private readonly ClientSession client;
    private readonly RequestParser parser = new() { MaxBulkBytes = int.MaxValue };
    private readonly ArgumentTable arguments = new();
    private readonly ArrayBufferWriter<byte> dropped = new();
    private readonly PreparedCommand[] prepared = new PreparedCommand[Batch];
    private string? error;
    private string lastError = "";

    public EffectReplay(RespServer server)
    {
        client = new ClientSession(server, new ReplayConnection(), id: 0) { IsAuthenticated = true, IsReplaying = true };
    }

    /// <summary>Effects carried out.</summary>
    public long Effects { get; private set; }

    /// <summary>Effects answered with an error: commands that failed when they had changed something already, as on a corrupt HyperLogLog.</summary>
    public long Errors { get; private set; }

    /// <summary>True while a transaction has begun that has not ended.</summary>
    public bool IsInTransaction => client.Transaction is not null;

    /// <summary>Selects the database that effects without a SELECT are for.</summary>
    public void Select(int database) => client.Store.Database = database;

    /// <summary>Carries out whole effects.</summary>
    /// <returns>What went wrong, or null.</returns>
    public string? Apply(ReadOnlySpan<byte> effects)
    {
        int position = 0;
        while (position < effects.Length && error is null)
        {
            if (!TryParse(effects, ref position, out int count))
                return FormattableString.Invariant($"the effects are no requests: {parser.Error}");
            Run(effects, count);
        }

        return error;
    }

    /// <inheritdoc/>
    public void OnError(ReadOnlySpan<byte> text)
    {
        lastError = Encoding.Latin1.GetString(text);
        Errors++;
    }

    /// <inheritdoc/>
    public void Dispose() => client.Dispose();

    private bool TryParse(ReadOnlySpan<byte> effects, ref int position, out int count)
    {
        arguments.Clear();
        count = 0;
        while (count < Batch && position < effects.Length)
        {
            if (parser.Parse(effects, ref position, arguments, out RequestRange request) != ParseStatus.Complete)
                return false;
            if (request.ArgumentCount == 0)
                continue;
            prepared[count].Command = client.Server.Commands.Find(arguments.Get(effects, request.FirstArgument));
            prepared[count].FirstArgument = request.FirstArgument;
            prepared[count++].ArgumentCount = request.ArgumentCount;
        }

        return true;
    }

    private void Run(ReadOnlySpan<byte> effects, int count)
    {
        Worker worker = client.Server.CurrentWorker;
        CommandContext context = new(client, worker, new RespWriter(dropped, client.ProtocolVersion) { ErrorObserver = this, Suppressed = true });
        client.Store.EnterBatch();
        worker.BeginBatch(count, client.Server);
        try
        {
            Prefetch(effects, count);
            for (int i = 0; i < count && error is null; i++)
            {
                context.Load(effects, arguments, prepared[i].FirstArgument, prepared[i].ArgumentCount);
                if (CommandDispatcher.Resolve(ref context, prepared[i].Command) is null)
                    error = "an effect is not understood: " + lastError;
                else
                    CommandDispatcher.Run(ref context);
                Effects++;
            }
        }
        finally
        {
            worker.Timer.EndRun();
            client.Store.LeaveBatch();
        }
    }

    // As for a client's pipeline: the memory of all keys is on its way before the first is needed.
    private void Prefetch(ReadOnlySpan<byte> effects, int count)
    {
        Span<PreparedCommand> batch = prepared.AsSpan(0, count);
        foreach (ref PreparedCommand each in batch)
        {
            int key = each.Command?.SimpleFirstKey ?? 0;
            each.HasHash = key > 0 && key < each.ArgumentCount;
            if (!each.HasHash)
                continue;
            each.Hash = client.Store.Hash(arguments.Get(effects, each.FirstArgument + key));
            client.Store.PrefetchBucket(each.Hash);
        }

        foreach (ref PreparedCommand each in batch)
        {
            if (each.HasHash)
                client.Store.PrefetchRecord(each.Hash);
        }
    }
}

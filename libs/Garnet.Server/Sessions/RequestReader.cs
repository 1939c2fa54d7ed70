// Parses the requests of one connection. The connection's thread.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Protocol;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Sessions;

/// <summary>
/// Finds the requests in what a connection has received. The arguments of one that is long and unfinished are kept outside of the receive
/// buffer, large ones in the block in which they will be stored, so that every byte is scanned once and copied once at most.
/// </summary>
internal sealed class RequestReader(ClientSession client, ClientParts parts, SessionParts sessions)
{
    /// <summary>
    /// Size of an unfinished request from which its complete arguments are moved out of the receive buffer, so that the rest is scanned and
    /// copied once.
    /// </summary>
    private const int HoldFromBytes = HeldArguments.BlockBytes;

    /// <summary>The minimum and maximum received into a block before its bytes are counted and limits checked.</summary>
    private const int MinPieceBytes = 128 * 1024;

    private const int MaxPieceBytes = 1024 * 1024;

    private readonly RequestParser _parser = new() { PendingBulkThreshold = HeldArguments.BlockBytes };
    private ArgumentTable? _arguments; // kept between batches only while a request is unfinished
    private HeldArguments? _held; // while a request is in progress of which arguments have left the receive buffer
    private ParserState _heldState; // state of the parser after these arguments

    /// <summary>Minimum number of unconsumed bytes that can complete the unfinished request.</summary>
    public int RequiredLength { get; private set; }

    /// <summary>The arguments of the requests that were parsed, between <see cref="Begin"/> and <see cref="End"/>.</summary>
    public ArgumentTable Arguments => _arguments!;

    /// <summary>Memory of the arguments that have left the receive buffer.</summary>
    public long HeldBytes => _held?.MemoryBytes ?? 0;

    /// <summary>Bytes of the unfinished request that have left the receive buffer.</summary>
    public long HeldRequestBytes => _held?.RequestBytes ?? 0;

    /// <summary>The reply to a request that is none.</summary>
    public ReadOnlySpan<byte> ErrorText => _parser.ErrorText;

    /// <summary>Why a request is none.</summary>
    public string Error => _parser.Error.ToString();

    /// <summary>Whether empty requests preceded the one that was parsed last.</summary>
    public bool TakeSkipped() => _parser.TakeSkipped();

    /// <summary>Something was received.</summary>
    public void Begin(ThreadScratch thread) => _arguments ??= thread.Pools.RentArguments();

    /// <summary>What was received is executed.</summary>
    public void End(ThreadScratch thread)
    {
        if (_parser.IsMidRequest)
            return;
        thread.Pools.ReturnArguments(_arguments!);
        _arguments = null;
    }

    /// <summary>The requests after one that was executed, or has to wait, are parsed again.</summary>
    /// <param name="mayResume">Whether it is the first one, and has to wait: what is held of it stays.</param>
    public void StopAfter(bool mayResume)
    {
        _parser.Reset();
        if (mayResume && _held is not null)
            _parser.Restore(_heldState);
        else
            ReleaseHeld();
    }

    /// <summary>Parses up to a number of requests, and fetches the memory of their first keys ahead.</summary>
    /// <param name="thread">Receives the requests.</param>
    /// <param name="buffer">What was received.</param>
    /// <param name="position">The first byte that is not parsed yet.</param>
    /// <param name="limit">How many requests at most.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="unfinished">Where the first request begins that is not complete.</param>
    public ParseStatus Prepare(ThreadScratch thread, ReadOnlySpan<byte> buffer, int position, int limit, out int count, out int unfinished)
    {
        ArgumentTable arguments = _arguments!;
        arguments.Clear();
        _parser.MaxBulkBytes = (int)Math.Min(sessions.Configuration.Current.ProtoMaxBulkLengthBytes, int.MaxValue);
        _parser.IsRestricted = client.Login.IsRequired;
        ParseStatus status = ParseStatus.Complete;
        bool areFiltered = sessions.Filters.AreOn; // what they make of a request is looked up
        count = 0;
        while (count < limit)
        {
            status = _parser.Parse(buffer, ref position, arguments, out RequestRange request);
            if (status != ParseStatus.Complete)
                break;
            ref PreparedCommand prepared = ref thread.Prepared[count++];
            prepared.FirstArgument = request.FirstArgument;
            prepared.ArgumentCount = request.ArgumentCount;
            prepared.End = position;
            prepared.Command = areFiltered ? null : client.Executor.Commands.Find(arguments.Get(buffer, request.FirstArgument));
            prepared.HasHash = false;
            prepared.FollowsEmpty = _parser.TakeSkipped();
        }

        unfinished = position;
        RequiredLength = status == ParseStatus.PendingBulk ? _parser.Pending.PayloadOffset + _parser.Pending.Length + 2 - position : 0;
        if (count > 1)
            Prefetch(thread, buffer, count);
        return status;
    }

    // Two passes, so that the bucket lines of all keys are being fetched before the first is needed, then all record lines.
    private void Prefetch(ThreadScratch worker, ReadOnlySpan<byte> buffer, int count)
    {
        Span<PreparedCommand> thread = worker.Prepared.AsSpan(0, count);
        foreach (ref PreparedCommand prepared in thread)
        {
            int key = prepared.Command?.SimpleFirstKey ?? 0;
            if (key == 0 || key >= prepared.ArgumentCount)
                continue;
            prepared.Hash = client.Store.Hash(_arguments!.Get(buffer, prepared.FirstArgument + key));
            prepared.HasHash = true;
            prepared.Database = client.Store.Database;
            client.Store.PrefetchBucket(prepared.Hash);
        }

        foreach (ref PreparedCommand prepared in thread)
        {
            if (prepared.HasHash)
                client.Store.Reads.PrefetchRecord(prepared.Hash);
        }
    }

    /// <summary>
    /// Moves the complete arguments of a long unfinished request out of the receive buffer; an incomplete large argument is received
    /// directly into the block in which it will be stored.
    /// </summary>
    public BatchOutcome HoldUnfinished(ParseStatus status, ReadOnlySpan<byte> buffer, ref int consumed)
    {
        long limit = sessions.Configuration.Current.ClientQueryBufferLimitBytes;
        bool inPlace =
            status == ParseStatus.PendingBulk
            && client.Connection.CanReceiveInPlace
            && (_held?.MemoryBytes ?? 0) + _parser.Pending.Length <= limit;
        if (!_parser.IsInArguments || (!inPlace && buffer.Length - consumed < HoldFromBytes))
            return BatchOutcome.NeedMore;
        _held ??= client.Executor.Threads.Current.Pools.RentHeld(client.Store.Store);
        _arguments!.External = _held;
        if (!_held.HasSpaceFor(buffer.Length))
        {
            parts.Log.LogWarning(
                "Client {Id} at {Address} closed: the arguments of one request exceeded 2 GiB",
                client.Id,
                client.Connection.RemoteAddress
            );
            return BatchOutcome.Close;
        }

        int begin = consumed;
        consumed = _parser.Detach(buffer, _arguments);
        RequiredLength = Math.Max(0, RequiredLength - (consumed - begin));
        if (inPlace)
        {
            _parser.TakePendingBulk(_held.BeginBlock(_parser.Pending.Length));
            buffer[consumed..].CopyTo(_held.Receiving.Span);
            _held.CountReceived(buffer.Length - consumed);
            consumed = buffer.Length;
            RequiredLength = 0;
        }

        _held.RequestBytes += consumed - begin;
        _heldState = _parser.Save();
        return inPlace ? BatchOutcome.ReceiveInPlace : BatchOutcome.NeedMore;
    }

    /// <summary>
    /// Receives the rest of a large argument, in pieces that grow with the bytes received, so that limits are checked as bytes arrive.
    /// False when the session ends.
    /// </summary>
    public async ValueTask<bool> ReceiveInPlaceAsync()
    {
        HeldArguments target = _held!;
        client.Input.IsReceivingBlock = true;
        while (target.Receiving.Length - target.ReceivedBytes is > 0 and int missing)
        {
            int piece = Math.Min(missing, Math.Clamp(target.ReceivedBytes, MinPieceBytes, MaxPieceBytes));
            int received = (int)await client.Connection.ReceiveAsync(target.Receiving, target.ReceivedBytes, piece).ConfigureAwait(false);
            target.CountReceived(received);
            target.RequestBytes += received;
            client.Input.Bytes = target.MemoryBytes;
            client.Traffic.InputBytes += received;
            client.Traffic.LastInteractionMs = parts.Clock.NowMs;
            client.Executor.Threads.Current.Counters.InputBytes += received;
            if (received < piece || (received < missing && RespSession.MustEnd(client, parts.Clock.NowMs)))
                return false;
        }

        client.Input.IsReceivingBlock = false;
        return true;
    }

    /// <summary>The requests that held arguments are over.</summary>
    public void ReleaseHeld()
    {
        if (_held is null)
            return;
        if (!_held.IsTransferred)
        {
            _held.Release();
            client.Executor.Threads.Current.Pools.ReturnHeld(_held);
        }

        _held = null;
        _arguments!.External = null;
    }

    /// <summary>The connection has ended.</summary>
    public void Close()
    {
        _held?.Release();
        _held = null;
    }
}

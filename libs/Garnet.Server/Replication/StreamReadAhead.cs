// Reads values that a primary's stream will need from disk. Used by the task that applies the stream.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Server.Replication;

/// <summary>While one command of the stream waits for its value, those of the next ones are read, so that many wait once.</summary>
internal sealed class StreamReadAhead(ClientSession client)
{
    private const int Ahead = 64;
    private readonly RequestParser _parser = new() { MaxBulkBytes = int.MaxValue };
    private readonly ArgumentTable _arguments = new();
    private readonly PreparedCommand[] _next = new PreparedCommand[Ahead];

    /// <summary>Begins to read, inside a batch and without a latch. What is not understood is left to whoever applies it.</summary>
    /// <param name="stream">What was received behind the command that waits.</param>
    public void Begin(ReadOnlySpan<byte> stream)
    {
        if (client.Executor.Gates.ColdValues.Source is not { } values)
            return;
        _parser.Reset();
        _arguments.Clear();
        int count = 0;
        for (int position = 0; count < Ahead && TryNext(stream, ref position, out PreparedCommand command); )
        {
            if (command.HasHash)
                _next[count++] = command;
        }

        values.ReadAhead(client, _next.AsSpan(0, count));
        _next.AsSpan(0, count).Clear();
    }

    // False at the end of what is complete, and where another database is selected.
    private bool TryNext(ReadOnlySpan<byte> stream, ref int position, out PreparedCommand command)
    {
        command = default;
        if (position >= stream.Length || stream[position] != '*')
            return false;
        if (_parser.Parse(stream, ref position, _arguments, out RequestRange request) != ParseStatus.Complete)
            return false;
        if (request.ArgumentCount == 0)
            return true;
        Command? found = client.Executor.Commands.FindOriginal(_arguments.Get(stream, request.FirstArgument));
        if (found is null || found.Has(CommandTraits.SelectsDatabase))
            return false;
        if (!found.HasOneKey || found.SimpleFirstKey >= request.ArgumentCount)
            return true;
        command = new PreparedCommand
        {
            Command = found,
            FirstArgument = request.FirstArgument,
            ArgumentCount = request.ArgumentCount,
            Database = client.Store.Database,
            HasHash = true,
            Hash = client.Store.Hash(_arguments.Get(stream, request.FirstArgument + found.SimpleFirstKey)),
        };
        return true;
    }
}

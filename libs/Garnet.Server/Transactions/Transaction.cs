// An open MULTI: copies of the queued commands. Used by the client's thread alone.
using Garnet.Protocol;
using Garnet.Server.Commands;

namespace Garnet.Server.Transactions;

/// <summary>Commands queued between MULTI and EXEC; the request buffer is gone by EXEC, so their arguments are copied here.</summary>
public sealed class Transaction
{
    private readonly List<QueuedCommand> commands = [];
    private readonly List<ArgumentRange> arguments = [];
    private byte[] bytes = [];
    private int used;

    /// <summary>True when a command was refused at queueing, so that EXEC answers EXECABORT.</summary>
    public bool IsBroken { get; set; }

    /// <summary>Number of queued commands.</summary>
    public int Count => commands.Count;

    /// <summary>Bytes held for the queue (CLIENT LIST multi-mem).</summary>
    public int MemoryBytes => bytes.Length;

    internal ReadOnlySpan<byte> Buffer => bytes;

    internal IReadOnlyList<QueuedCommand> Commands => commands;

    /// <summary>Queues the command in the context.</summary>
    internal void Queue(ref CommandContext context)
    {
        int first = arguments.Count;
        for (int i = 0; i < context.Count; i++)
        {
            ReadOnlySpan<byte> argument = context[i];
            if (bytes.Length - used < argument.Length)
                Array.Resize(ref bytes, checked(Math.Max(bytes.Length * 2, used + argument.Length + 64)));
            argument.CopyTo(bytes.AsSpan(used));
            arguments.Add(new ArgumentRange(used, argument.Length));
            used += argument.Length;
        }

        commands.Add(new QueuedCommand(context.Command, first, context.Count));
    }

    /// <summary>The arguments of a queued command, as ranges of <see cref="Buffer"/>.</summary>
    internal ReadOnlySpan<ArgumentRange> ArgumentsOf(QueuedCommand command) =>
        System.Runtime.InteropServices.CollectionsMarshal.AsSpan(arguments).Slice(command.FirstArgument, command.ArgumentCount);
}

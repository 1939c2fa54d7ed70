// The commands that the typed methods call, found once. Immutable; any thread.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Hosting.InProcess;

/// <summary>Looked up in a server's table at its start, so that no call has to.</summary>
internal sealed class InProcessCommands(CommandTable table)
{
    private const int MaxStackName = 128;

    public Command? Get { get; } = table.FindOriginal("GET"u8);

    public Command? GetEx { get; } = table.FindOriginal("GETEX"u8);

    public Command? Set { get; } = table.FindOriginal("SET"u8);

    public Command? Del { get; } = table.FindOriginal("DEL"u8);

    public Command? Exists { get; } = table.FindOriginal("EXISTS"u8);

    public Command? IncrBy { get; } = table.FindOriginal("INCRBY"u8);

    public Command? PExpire { get; } = table.FindOriginal("PEXPIRE"u8);

    public Command? PExpireAt { get; } = table.FindOriginal("PEXPIREAT"u8);

    public Command? Persist { get; } = table.FindOriginal("PERSIST"u8);

    public Command? PTtl { get; } = table.FindOriginal("PTTL"u8);

    public Command? HGet { get; } = table.FindOriginal("HGET"u8);

    public Command? HSet { get; } = table.FindOriginal("HSET"u8);

    public Command? HDel { get; } = table.FindOriginal("HDEL"u8);

    public Command? Watch { get; } = table.FindOriginal("WATCH"u8);

    public Command? Multi { get; } = table.FindOriginal("MULTI"u8);

    public Command? Exec { get; } = table.FindOriginal("EXEC"u8);

    /// <summary>Finds a command by its name; null when there is none, which the dispatcher answers.</summary>
    /// <exception cref="NotSupportedException">It is about a connection.</exception>
    public Command? Find(string name)
    {
        int length = System.Text.Encoding.UTF8.GetByteCount(name);
        Span<byte> bytes = length <= MaxStackName ? stackalloc byte[length] : new byte[length];
        System.Text.Encoding.UTF8.GetBytes(name, bytes);
        Command? command = table.FindOriginal(bytes);
        if (command is null || !command.Has(CommandTraits.OfConnection))
            return command;
        bool isTransactional = command.Descriptor.Group == CommandGroup.Transactions;
        throw new NotSupportedException(
            $"{name.ToUpperInvariant()} is about a connection, and a call in the process has none{(isTransactional ? "; use BeginTransaction" : "")}."
        );
    }
}

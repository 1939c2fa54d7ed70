// The commands that the typed methods call, found once. Immutable; any thread.
using Garnet.Server.CommandModel;

namespace Garnet.Hosting.InProcess;

/// <summary>Looked up in a server's table at its start, so that no call has to.</summary>
internal sealed class InProcessCommands(CommandTable table)
{
    private const int MaxStackName = 128;

    public Command? Get { get; } = table.Find("GET"u8);

    public Command? GetEx { get; } = table.Find("GETEX"u8);

    public Command? Set { get; } = table.Find("SET"u8);

    public Command? Del { get; } = table.Find("DEL"u8);

    public Command? Exists { get; } = table.Find("EXISTS"u8);

    public Command? IncrBy { get; } = table.Find("INCRBY"u8);

    public Command? PExpire { get; } = table.Find("PEXPIRE"u8);

    public Command? PExpireAt { get; } = table.Find("PEXPIREAT"u8);

    public Command? Persist { get; } = table.Find("PERSIST"u8);

    public Command? PTtl { get; } = table.Find("PTTL"u8);

    public Command? HGet { get; } = table.Find("HGET"u8);

    public Command? HSet { get; } = table.Find("HSET"u8);

    public Command? HDel { get; } = table.Find("HDEL"u8);

    public Command? Watch { get; } = table.Find("WATCH"u8);

    public Command? Multi { get; } = table.Find("MULTI"u8);

    public Command? Exec { get; } = table.Find("EXEC"u8);

    /// <summary>Finds a command by its name; null when there is none, which the dispatcher answers.</summary>
    /// <exception cref="NotSupportedException">It is about a connection.</exception>
    public Command? Find(string name)
    {
        int length = System.Text.Encoding.UTF8.GetByteCount(name);
        Span<byte> bytes = length <= MaxStackName ? stackalloc byte[length] : new byte[length];
        System.Text.Encoding.UTF8.GetBytes(name, bytes);
        Command? command = table.Find(bytes);
        if (command is null || !command.Has(CommandTraits.OfConnection))
            return command;
        bool isTransactional = command.Descriptor.Group == CommandGroup.Transactions;
        throw new NotSupportedException(
            $"{name.ToUpperInvariant()} is about a connection, and a call in the process has none{(isTransactional ? "; use BeginTransaction" : "")}."
        );
    }
}

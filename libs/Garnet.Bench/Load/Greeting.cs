// What the connections of a thread say first. One thread.
using System.Buffers;
using Garnet.Bench.Servers;

namespace Garnet.Bench.Load;

/// <summary>
/// Logs connections in, and chooses protocol and database: the same commands for each, all answered before it counts as connected.
/// </summary>
internal sealed class Greeting
{
    private readonly ServerTarget _server;
    private readonly byte[] _bytes;
    private readonly int _commands;
    private long _repliesToCome;

    /// <summary>The greeting of a server.</summary>
    public Greeting(ServerTarget server)
    {
        _server = server;
        var bytes = new ArrayBufferWriter<byte>();
        IReadOnlyList<string[]> commands = server.Greeting();
        foreach (string[] command in commands)
            RequestBytes.Write(bytes, command);
        (_bytes, _commands) = (bytes.WrittenSpan.ToArray(), commands.Count);
    }

    /// <summary>Whether there is anything to say.</summary>
    public bool IsNeeded => _commands > 0;

    /// <summary>Whether replies are still to come, on any connection.</summary>
    public bool IsUnderWay => _repliesToCome > 0;

    /// <summary>Begins it on a connection, to which the caller then sends the bytes.</summary>
    public ReadOnlySpan<byte> Begin(LoadConnection connection, long now)
    {
        connection.GreetingsLeft = _commands;
        connection.HeadSince = now;
        _repliesToCome += _commands;
        return _bytes;
    }

    /// <summary>Takes a reply that answers no request of the load.</summary>
    /// <exception cref="BenchException">The server refuses the connection, or has sent what nobody asked for.</exception>
    public void Complete(LoadConnection connection, in Reply reply)
    {
        if (reply.IsError)
            throw _server.Failed($"the server refuses a connection: {connection.Reader.ErrorText}");
        if (connection.GreetingsLeft == 0)
            throw _server.Failed("the server sent a reply to no request; commands that subscribe cannot be measured");
        connection.GreetingsLeft--;
        _repliesToCome--;
    }
}

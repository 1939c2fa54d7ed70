// A way in which commands reach the server. One thread.
using System.Globalization;
using System.Text;
using Garnet.Client;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Differential.Origins;

/// <summary>Runs commands one by one.</summary>
internal abstract class HistoryOrigin : IDisposable
{
    /// <summary>The protocol of its replies.</summary>
    public virtual int Protocol => 2;

    /// <summary>Prepares a server whose data is empty.</summary>
    public abstract void Begin(TestServer server);

    /// <summary>Runs a command.</summary>
    public abstract RespNode Call(byte[][] command);

    /// <summary>What is expected of an integer in a reply.</summary>
    public virtual long Expected(long integer) => integer;

    /// <inheritdoc/>
    public abstract void Dispose();

    /// <summary>A reply as the wire would have it.</summary>
    protected static byte[] Wire(RespValue reply)
    {
        using MemoryStream wire = new();
        Write(wire, reply);
        return wire.ToArray();
    }

    private static void Write(MemoryStream wire, RespValue reply)
    {
        byte[] payload = reply.Kind switch
        {
            RespKind.Integer => Bytes($"{reply.AsInt64()}"),
            RespKind.Double when double.IsInfinity(reply.AsDouble()) => Bytes(reply.AsDouble() > 0 ? "inf" : "-inf"),
            RespKind.Double => Bytes(reply.AsDouble().ToString("R", CultureInfo.InvariantCulture)),
            RespKind.Boolean => Bytes(reply.AsBoolean() ? "t" : "f"),
            RespKind.VerbatimString => [.. Bytes($"{reply.Format}:"), .. reply.Bytes.Span],
            _ => reply.Bytes.ToArray(),
        };
        wire.WriteByte((byte)Type(reply.Kind));
        switch (reply.Kind)
        {
            case RespKind.BulkString or RespKind.VerbatimString:
                wire.Write([.. Bytes($"{payload.Length}\r\n"), .. payload]);
                break;
            case RespKind.Array or RespKind.Set or RespKind.Map:
                wire.Write(Bytes($"{reply.Children.Count / (reply.Kind == RespKind.Map ? 2 : 1)}\r\n"));
                foreach (RespValue child in reply.Children)
                    Write(wire, child);
                return;
            default:
                wire.Write(payload);
                break;
        }

        wire.Write("\r\n"u8);
    }

    private static char Type(RespKind kind) =>
        kind switch
        {
            RespKind.SimpleString => '+',
            RespKind.Error => '-',
            RespKind.Integer => ':',
            RespKind.Double => ',',
            RespKind.BigNumber => '(',
            RespKind.Boolean => '#',
            RespKind.BulkString => '$',
            RespKind.VerbatimString => '=',
            RespKind.Array => '*',
            RespKind.Set => '~',
            RespKind.Map => '%',
            RespKind.Null => '_',
            _ => throw new InvalidOperationException($"Add {kind} here."),
        };

    /// <summary>One byte for each character.</summary>
    protected static byte[] Bytes(string text) => Encoding.Latin1.GetBytes(text);
}

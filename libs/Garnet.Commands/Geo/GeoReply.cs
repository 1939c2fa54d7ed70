// Replies of geospatial commands. Stateless.
using System.Buffers.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Commands.Geo;

/// <summary>Writes matches, distances and positions.</summary>
internal static class GeoReply
{
    /// <summary>Writes the first matches, each with the details requested.</summary>
    public static void Write(ref CommandContext context, in GeoOptions options, ReadOnlySpan<GeoMatch> matches, int count, TextArena texts)
    {
        int further = (options.WithDistance ? 1 : 0) + (options.WithHash ? 1 : 0) + (options.WithPosition ? 1 : 0);
        context.Reply.WriteArray(count);
        for (int i = 0; i < count; i++)
        {
            GeoMatch match = matches[i];
            if (further != 0)
                context.Reply.WriteArray(1 + further);
            context.Reply.WriteBulk(texts[match.Member]);
            if (options.WithDistance)
                WriteDistance(ref context.Reply, match.Metres / options.Shape.UnitMetres);
            if (options.WithHash)
                context.Reply.WriteInteger((long)match.Score);
            if (options.WithPosition)
                WritePosition(ref context.Reply, match.Position);
        }
    }

    /// <summary>Writes a distance with four decimals.</summary>
    public static void WriteDistance(ref RespWriter reply, double distance)
    {
        const int scale = 10_000;
        long scaled = (long)Math.Round(distance * scale, MidpointRounding.ToEven);
        Span<byte> text = stackalloc byte[32];
        Utf8Formatter.TryFormat(scaled / scale, text, out int length);
        text[length++] = (byte)'.';
        Utf8Formatter.TryFormat(scaled % scale, text[length..], out int digits, new('D', 4));
        reply.WriteBulk(text[..(length + digits)]);
    }

    /// <summary>Writes longitude and latitude.</summary>
    public static void WritePosition(ref RespWriter reply, GeoPoint position)
    {
        reply.WriteArray(2);
        WriteCoordinate(ref reply, position.Longitude);
        WriteCoordinate(ref reply, position.Latitude);
    }

    // With 17 decimals, less trailing zeros: more digits than doubles have in other replies.
    private static void WriteCoordinate(ref RespWriter reply, double degrees)
    {
        Span<byte> text = stackalloc byte[LongDoubleText.MaxLength];
        text = text[..LongDoubleText.Format(LongDouble.FromDouble(degrees), text)];
        if (reply.ProtocolVersion < 3)
        {
            reply.WriteBulk(text);
            return;
        }

        reply.WriteRaw(","u8);
        reply.WriteRaw(text);
        reply.WriteRaw("\r\n"u8);
    }
}

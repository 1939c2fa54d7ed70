// Episodes with the recorded replies of a reference, in a file. Immutable; any thread.
using System.IO.Compression;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>
/// A recorded transcript. The file is gzip of: magic, format version, the reference's version, time of recording in Unix milliseconds,
/// number of episodes; for each episode its family, seed, protocol, connections, pipelining and number of commands; for each command its
/// connection, number of arguments, arguments and reply. Numbers and lengths are 7-bit encoded.
/// </summary>
/// <param name="Reference">The reference's version.</param>
/// <param name="RecordedAtMs">Unix milliseconds.</param>
/// <param name="Entries">Episodes with their raw replies.</param>
internal sealed record Transcript(string Reference, long RecordedAtMs, IReadOnlyList<(Episode Episode, byte[][] Replies)> Entries)
{
    private const string Magic = "garnet-transcript";
    private const int FormatVersion = 1;

    /// <summary>The path of a family's committed transcript.</summary>
    public static string PathOf(string family) => RepositoryRoot.Combine("test", "Garnet.EndToEnd.Tests", "Transcripts", $"{family}.gz");

    /// <summary>Reads a transcript.</summary>
    public static Transcript Read(string path)
    {
        using var reader = new BinaryReader(new GZipStream(File.OpenRead(path), CompressionMode.Decompress));
        if (reader.ReadString() != Magic || reader.ReadInt32() != FormatVersion)
            throw new InvalidDataException($"{path} is no transcript of format {FormatVersion}.");
        string reference = reader.ReadString();
        long recordedAt = reader.ReadInt64();
        var entries = new (Episode, byte[][])[reader.Read7BitEncodedInt()];
        for (int i = 0; i < entries.Length; i++)
            entries[i] = ReadEpisode(reader);
        return new Transcript(reference, recordedAt, entries);
    }

    /// <summary>Writes the transcript, replacing the file.</summary>
    public void Write(string path)
    {
        using var writer = new BinaryWriter(new GZipStream(File.Create(path), CompressionLevel.SmallestSize));
        writer.Write(Magic);
        writer.Write(FormatVersion);
        writer.Write(Reference);
        writer.Write(RecordedAtMs);
        writer.Write7BitEncodedInt(Entries.Count);
        foreach ((Episode episode, byte[][] replies) in Entries)
            WriteEpisode(writer, episode, replies);
    }

    private static (Episode Episode, byte[][] Replies) ReadEpisode(BinaryReader reader)
    {
        string family = reader.ReadString();
        int seed = reader.ReadInt32();
        int protocol = reader.ReadByte();
        int connections = reader.ReadByte();
        bool pipelined = reader.ReadBoolean();
        var commands = new Command[reader.Read7BitEncodedInt()];
        byte[][] replies = new byte[commands.Length][];
        for (int i = 0; i < commands.Length; i++)
        {
            int connection = reader.ReadByte();
            byte[][] arguments = new byte[reader.Read7BitEncodedInt()][];
            for (int j = 0; j < arguments.Length; j++)
                arguments[j] = reader.ReadBytes(reader.Read7BitEncodedInt());
            commands[i] = new Command(connection, arguments);
            replies[i] = reader.ReadBytes(reader.Read7BitEncodedInt());
        }

        return (new Episode(family, seed, protocol, connections, pipelined, commands), replies);
    }

    private static void WriteEpisode(BinaryWriter writer, Episode episode, byte[][] replies)
    {
        writer.Write(episode.Family);
        writer.Write(episode.Seed);
        writer.Write((byte)episode.Protocol);
        writer.Write((byte)episode.Connections);
        writer.Write(episode.Pipelined);
        writer.Write7BitEncodedInt(episode.Commands.Count);
        for (int i = 0; i < episode.Commands.Count; i++)
        {
            writer.Write((byte)episode.Commands[i].Connection);
            writer.Write7BitEncodedInt(episode.Commands[i].Arguments.Length);
            foreach (byte[] argument in episode.Commands[i].Arguments)
                WriteBytes(writer, argument);
            WriteBytes(writer, replies[i]);
        }
    }

    private static void WriteBytes(BinaryWriter writer, byte[] bytes)
    {
        writer.Write7BitEncodedInt(bytes.Length);
        writer.Write(bytes);
    }
}

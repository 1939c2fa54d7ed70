// Sessions shared by several tests. Stateless.
using System.Buffers;
using System.IO.Pipelines;
using Garnet.Network.Features;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Network.Tests;

internal static class Sessions
{
    /// <summary>Echoes bytes as they arrive.</summary>
    internal static async Task EchoAsync(ConnectionContext connection)
    {
        (PipeReader input, PipeWriter output) = (connection.Transport.Input, connection.Transport.Output);
        while (true)
        {
            ReadResult read = await input.ReadAsync();
            AssertOnOwner(connection);
            Assert.True(read.Buffer.IsSingleSegment, "A session gets one segment.");
            output.Write(read.Buffer.FirstSpan);
            input.AdvanceTo(read.Buffer.End);
            await output.FlushAsync();
            AssertOnOwner(connection);
            if (read.IsCompleted)
                return;
        }
    }

    /// <summary>Echoes each line of text once it is complete.</summary>
    internal static async Task EchoLinesAsync(ConnectionContext connection)
    {
        (PipeReader input, PipeWriter output) = (connection.Transport.Input, connection.Transport.Output);
        while (true)
        {
            ReadResult read = await input.ReadAsync();
            AssertOnOwner(connection);
            ReadOnlySpan<byte> bytes = read.Buffer.FirstSpan;
            int whole = bytes.LastIndexOf((byte)'\n') + 1;
            output.Write(bytes[..whole]);
            input.AdvanceTo(read.Buffer.GetPosition(whole), read.Buffer.End);
            if (whole > 0)
                await output.FlushAsync();
            if (read.IsCompleted)
                return;
        }
    }

    internal static void AssertOnOwner(ConnectionContext connection) =>
        Assert.True(Affinity(connection).IsOnOwnerThread, "A session resumes on its owner.");

    internal static IConnectionAffinity Affinity(ConnectionContext connection) => connection.Features.Get<IConnectionAffinity>()!;
}

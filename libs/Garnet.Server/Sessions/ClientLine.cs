// Formats one client as a line of CLIENT LIST. Stateless; reads other threads' clients, whose fields may be slightly out of date.
using System.Globalization;
using System.Text;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Server.Acl;
using Garnet.Server.Messaging;
using Garnet.Server.Replication;
using Garnet.Server.Tracking;

namespace Garnet.Server.Sessions;

/// <summary>
/// Valkey's fields in Valkey's order. A connection's only buffers are for an unfinished request and unsent replies, and arguments are
/// parsed in the receive buffer; Valkey's fields for other buffers are 0.
/// </summary>
internal sealed class ClientLine(ServerClock clock)
{
    // As Valkey names a caller without a user.
    private const string Superuser = "(superuser)";

    /// <summary>The line without a line terminator.</summary>
    public string Describe(ClientSession client) => Append(new StringBuilder(), client).ToString();

    /// <summary>Appends the line without a line terminator.</summary>
    public StringBuilder Append(StringBuilder text, ClientSession client)
    {
        IFormatProvider format = CultureInfo.InvariantCulture;
        return text.Append(
                format,
                $"id={client.Id} addr={client.Connection.RemoteAddress} laddr={client.Connection.LocalAddress} fd={client.Connection.Handle}"
            )
            .Append(format, $" name={client.Names.Client} age={client.Traffic.AgeSeconds(clock.Time)}")
            .Append(format, $" idle={client.Traffic.IdleSeconds(clock.Time)}")
            .Append(format, $" flags={Flags(client)} capa={(client.Modes.CanRedirect ? "r" : "")} db={client.Store.Database}")
            .Append(
                format,
                $" sub={client.Subscriber?.Channels ?? 0} psub={client.Subscriber?.Patterns ?? 0} ssub={client.Subscriber?.ShardChannels ?? 0}"
            )
            .Append(
                format,
                $" multi={client.Transactions.QueuedCommands} watch={client.Transactions.Watched?.Count ?? 0} qbuf={client.Input.Bytes}"
            )
            .Append(format, $" qbuf-free=0 argv-mem=0 multi-mem={client.Transactions.QueuedBytes} rbs=0 rbp=0 obl=0 oll=0")
            .Append(
                format,
                $" omem={client.Connection.UnsentBytes + (client.Output.Replica?.Lag ?? 0)} tot-mem={client.MemoryBytes} events={(client.Connection.UnsentBytes > 0 ? "rw" : "r")} cmd={client.Traffic.LastCommand?.FullName ?? "NULL"} user={client.Login.User?.Name ?? Superuser} redir={client.Tracking?.Redirect ?? -1}"
            )
            .Append(format, $" resp={client.ProtocolVersion} lib-name={client.Names.Library} lib-ver={client.Names.LibraryVersion}")
            .Append(
                format,
                $" tot-net-in={client.Traffic.InputBytes} tot-net-out={client.Traffic.OutputBytes} tot-cmds={client.Traffic.Commands}"
            );
    }

    /// <summary>The flags of a client; N for none.</summary>
    public string Flags(ClientSession client)
    {
        Span<char> flags = stackalloc char[16];
        int count = 0;
        if (client.Modes.IsMonitor)
            flags[count++] = 'O';
        if (client.Output.Class == OutputClass.Replica)
            flags[count++] = 'S';
        if (client.Propagation.IsOfPrimary)
            flags[count++] = 'M';
        if (client.Output.Class == OutputClass.PubSub)
            flags[count++] = 'P';
        if (client.Transactions.Open is not null || client.Transactions.IsExecuting)
            flags[count++] = 'x';
        if (client.Wait.IsBlocked)
            flags[count++] = 'b';
        if (client.Tracking is { IsOn: true } tracking)
        {
            flags[count++] = 't';
            if (tracking.IsRedirectBroken)
                flags[count++] = 'R';
            if ((tracking.Modes & TrackingModes.Broadcast) != 0)
                flags[count++] = 'B';
        }

        if (client.Transactions.Watched is { IsTouched: true })
            flags[count++] = 'd';
        if (client.End.AfterReply)
            flags[count++] = 'c';
        if (client.Connection.IsUnixSocket)
            flags[count++] = 'U';
        if (client.Modes.IsReadOnly)
            flags[count++] = 'r';
        if (client.Modes.NoEvict)
            flags[count++] = 'e';
        if (!client.Store.Accesses.Touches)
            flags[count++] = 'T';
        if (client.Modes.IsImportSource)
            flags[count++] = 'I';
        if (count == 0)
            flags[count++] = 'N';
        return flags[..count].ToString();
    }
}

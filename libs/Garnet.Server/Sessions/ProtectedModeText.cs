// The error for a client from another machine in protected mode. The text is Valkey's (BSD-3-Clause, see THIRD-PARTY-NOTICES.md).
namespace Garnet.Server.Sessions;

/// <summary>The rejection in protected mode.</summary>
internal static class ProtectedModeText
{
    /// <summary>The whole reply.</summary>
    public static ReadOnlySpan<byte> Reply =>
        "-DENIED Running in protected mode because protected mode is enabled and no password is set for the default user. In this mode connections are only accepted from the loopback interface. If you want to connect from external computers, you may adopt one of the following solutions: 1) Just disable protected mode sending the command 'CONFIG SET protected-mode no' from the loopback interface by connecting from the same host the server is running, however MAKE SURE it's not publicly accessible from internet if you do so. Use CONFIG REWRITE to make this change permanent. 2) Alternatively you can just disable the protected mode by editing the configuration file, and setting the protected mode option to 'no', and then restarting the server. 3) If you started the server manually just for testing, restart it with the '--protected-mode no' option. 4) Set up an authentication password for the default user. NOTE: You only need to do one of the above things in order for the server to start accepting connections from the outside.\r\n"u8;
}

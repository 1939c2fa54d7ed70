// SCRIPT <subcommand> ...
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Scripting;

/// <summary>The container of the SCRIPT subcommands.</summary>
internal static class ScriptCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SCRIPT",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Scripting,
        Since = "2.6.0",
        Help = new(
            "5.0.0",
            [
                "DEBUG (YES|SYNC|NO) [<engine_name>]",
                "    Set the debug mode for subsequent scripts executed of the specified engine.",
                "    Default engine name: 'lua'",
                "EXISTS <sha1> [<sha1> ...]",
                "    Return information about the existence of the scripts in the script cache.",
                "FLUSH [ASYNC|SYNC]",
                "    Flush the Lua scripts cache. Very dangerous on replicas.",
                "    When called without the optional mode argument, the behavior is determined",
                "     by the lazyfree-lazy-user-flush configuration directive. Valid modes are:",
                "    * ASYNC: Asynchronously flush the scripts cache.",
                "    * SYNC: Synchronously flush the scripts cache.",
                "KILL",
                "    Kill the currently executing Lua script.",
                "LOAD <script>",
                "    Load a script into the scripts cache without executing it.",
                "SHOW <sha1>",
                "    Show a script from the scripts cache.",
                "STATS [RESET|<count>]",
                "    Show the scripts and functions that took the most time, by default ten, or",
                "    forget what their calls took.",
            ],
            AclCategories.Scripting
        ),
        Subcommands =
        [
            ScriptDebugCommand.Descriptor,
            ScriptExistsCommand.Descriptor,
            ScriptFlushCommand.Descriptor,
            ScriptKillCommand.Descriptor,
            ScriptLoadCommand.Descriptor,
            ScriptShowCommand.Descriptor,
            ScriptStatsCommand.Descriptor,
        ],
    };
}

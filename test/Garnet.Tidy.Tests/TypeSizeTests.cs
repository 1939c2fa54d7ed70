// Counts the members that each type of the libraries offers to others. Reads compiled assemblies; no state.
using System.Reflection;
using System.Runtime.CompilerServices;
using Xunit;

namespace Garnet.Tidy.Tests;

public sealed class TypeSizeTests
{
    private const int MaxMembers = 25;

    private const BindingFlags Declared =
        BindingFlags.DeclaredOnly | BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;

    // Types that are long for a reason. One that shrinks below the limit must leave the list.
    private static readonly Dictionary<string, string> Long = new()
    {
        ["RespServer"] = "a property for each part of a server, which it composes and does nothing else",
        ["GarnetOptions"] = "an option is a property; one class, so that they are bound, replaced and documented in one way",
        ["CommandContext"] = "what a command may use: its arguments, keys, replies and effects, at hand under one name",
        ["RespWriter"] = "a method for each type of reply",
        ["RdbWriter"] = "a method for each primitive of the format",
        ["LinuxCalls"] = "a method for each system call, and their constants",
        ["RecordHeader"] = "the layout of a record: all its bits in one place",
        ["PackedForm"] = "the layout of a packed collection: all its bits in one place",
        ["InProcessGarnet"] = "a method for each command of IGarnet",
        ["StreamValue"] = "a method for each operation of the type's commands",
        ["GroupEntry"] = "a property for each field of the entry",
        ["SortedSetValue"] = "a method for each operation of the type's commands",
        ["LeafNode"] = "a method for each operation on a leaf, and its layout",
        ["ListValue"] = "a method for each operation of the type's commands",
        ["StreamConnection"] = "a connection as its loop, its reader, its writer and Kestrel see it",
        ["RespServer"] = "a property for each part that it composes",
        ["LuaThread"] = "registers, frames and calls, which the interpreter uses directly",
        ["AppendOnlyLog"] = "the log's operations, and a property for each of its figures",
    };

    [Fact]
    public void Types_have_few_members()
    {
        IEnumerable<string> offences = Types()
            .Where(static type => Members(type).Count > MaxMembers && !Long.ContainsKey(type.Name))
            .Select(static type => $"{type.FullName} has {Members(type).Count} members that others can use: split it by job");
        Offences.AssertNone(offences);
    }

    [Fact]
    public void Every_exception_is_needed()
    {
        ILookup<string, int> sizes = Types().ToLookup(static type => type.Name, static type => Members(type).Count);
        Offences.AssertNone(Long.Keys.Where(name => !sizes[name].Any(static size => size > MaxMembers)));
        Offences.AssertNone(Long.Where(static entry => entry.Value.Length == 0).Select(static entry => entry.Key));
    }

    private static IEnumerable<Type> Types() =>
        Directory
            .EnumerateFiles(AppContext.BaseDirectory, "GarnetCache.*.dll")
            .SelectMany(static file => Assembly.LoadFrom(file).GetTypes())
            .Where(static type =>
                !type.IsEnum
                && !type.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false)
                && type.Namespace?.StartsWith("Garnet", StringComparison.Ordinal) == true
            );

    // Names of members that other types can use: overloads count once; constructors, overrides and nested types do not count.
    private static HashSet<string> Members(Type type) =>
        [
            .. type.GetMethods(Declared)
                .Where(static method => IsOffered(method) && !method.IsSpecialName && method.GetBaseDefinition() == method)
                .Cast<MemberInfo>()
                .Concat(type.GetProperties(Declared).Where(static property => property.GetAccessors(nonPublic: true).Any(IsNew)))
                .Concat(type.GetFields(Declared).Where(static field => field.IsPublic || field.IsAssembly || field.IsFamilyOrAssembly))
                .Concat(type.GetEvents(Declared).Where(static change => IsOffered(change.AddMethod!)))
                .Where(static member => !member.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false))
                .Select(static member => member.Name),
        ];

    private static bool IsNew(MethodInfo accessor) => IsOffered(accessor) && accessor.GetBaseDefinition() == accessor;

    private static bool IsOffered(MethodBase method) => method.IsPublic || method.IsAssembly || method.IsFamilyOrAssembly;
}

// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

// A delegate and a station with the interface that the service calls, for tests on a development chain.
// They are not audited and are no contracts for production.

struct Call {
    address to;
    uint256 value;
    bytes data;
}

contract TestDelegate {
    error NotSelf();
    error DeadlineExceeded();
    error InvalidNonce();
    error ExecutionFailed();

    bytes32 private constant nonceSlot = 0x34d5be385818fa5c8c4e7f9d5a028251d28ebab8aaf203a072d1dde2d49a1100;

    receive() external payable {}

    function nonce() public view returns (uint128 value) {
        assembly {
            value := and(sload(nonceSlot), 0xffffffffffffffffffffffffffffffff)
        }
    }

    function execute(address to, uint256 value, bytes calldata signed) external {
        bytes32 content = keccak256(
            abi.encode(
                keccak256("Execution(uint128 nonce,uint32 deadline,address to,uint256 value,bytes data)"),
                nonceOf(signed),
                deadlineOf(signed),
                to,
                value,
                keccak256(signed[85:])
            )
        );
        requireSigned(content, signed);
        run(to, value, signed[85:]);
    }

    function executeBatch(Call[] calldata calls, bytes calldata signed) external {
        bytes32[] memory hashes = new bytes32[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            hashes[i] = keccak256(
                abi.encode(
                    keccak256("Call(address to,uint256 value,bytes data)"),
                    calls[i].to,
                    calls[i].value,
                    keccak256(calls[i].data)
                )
            );
        }
        bytes32 content = keccak256(
            abi.encode(
                keccak256(
                    "BatchExecution(uint128 nonce,uint32 deadline,Call[] calls)Call(address to,uint256 value,bytes data)"
                ),
                nonceOf(signed),
                deadlineOf(signed),
                keccak256(abi.encodePacked(hashes))
            )
        );
        requireSigned(content, signed);
        for (uint256 i = 0; i < calls.length; i++) run(calls[i].to, calls[i].value, calls[i].data);
    }

    function nonceOf(bytes calldata signed) private pure returns (uint128) {
        return uint128(bytes16(signed[65:81]));
    }

    function deadlineOf(bytes calldata signed) private pure returns (uint32) {
        return uint32(bytes4(signed[81:85]));
    }

    function requireSigned(bytes32 content, bytes calldata signed) private {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("TKGasDelegate"),
                keccak256("1.1"),
                block.chainid,
                address(this)
            )
        );
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", domain, content));
        address signer =
            ecrecover(digest, uint8(signed[64]), bytes32(signed[0:32]), bytes32(signed[32:64]));
        if (signer != address(this)) revert NotSelf();
        if (block.timestamp > deadlineOf(signed)) revert DeadlineExceeded();
        if (nonceOf(signed) != nonce()) revert InvalidNonce();
        assembly {
            sstore(nonceSlot, add(sload(nonceSlot), 1))
        }
    }

    function run(address to, uint256 value, bytes calldata data) private {
        (bool done,) = to.call{value: value}(data);
        if (!done) revert ExecutionFailed();
    }
}

contract TestStation {
    error NotDelegated();

    address private immutable delegate;

    constructor(address code) {
        delegate = code;
    }

    function isDelegated(address account) public view returns (bool) {
        return keccak256(account.code) == keccak256(abi.encodePacked(hex"ef0100", delegate));
    }

    function getNonce(address account) external view returns (uint128) {
        if (!isDelegated(account)) revert NotDelegated();
        return TestDelegate(payable(account)).nonce();
    }

    function execute(address account, address to, uint256 value, bytes calldata signed) external {
        if (!isDelegated(account)) revert NotDelegated();
        TestDelegate(payable(account)).execute(to, value, signed);
    }

    function executeBatch(address account, Call[] calldata calls, bytes calldata signed) external {
        if (!isDelegated(account)) revert NotDelegated();
        TestDelegate(payable(account)).executeBatch(calls, signed);
    }
}
